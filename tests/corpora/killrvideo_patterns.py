"""What the tables of KillrVideo are for, and what they are not for: patterns of our own, by version of the schema."""

from collections.abc import Mapping

_BOTH = """\
user = kw.Get(Users, eq="userid")
credentials = kw.Get(UserCredentials, eq="email")
sign_up = kw.Put(UserCredentials, if_absent=True)
rename_user = kw.Update(Users, sets=["firstname", "lastname"])
video_of_id = kw.Get(Videos, eq="videoid")
some_videos = kw.Read(Videos, one_of="videoid", limit=20, fan_out=20)
videos_with_tag = kw.Read(Videos, contains="tags", limit=100)
tagged_videos = kw.Read(VideosByTag, eq="tag", limit=100)
newest_tagged_videos = kw.Read(VideosByTag, eq="tag", order="-tagged_date", limit=100)
tags_of_letter = kw.Read(TagsByLetter, eq="first_letter", order="tag", limit=100)
tags_of_letter_backwards = kw.Read(TagsByLetter, eq="first_letter", order="-tag", limit=100)
tags_of_prefix = kw.Read(TagsByLetter, eq="first_letter", prefix="tag", limit=100)
rate = kw.Put(VideoRatingsByUser)
rating_of_user = kw.Get(VideoRatingsByUser, eq=["videoid", "userid"])
ratings_by_user = kw.Read(VideoRatingsByUser, eq="userid", limit=100)
rating_of_video = kw.Get(VideoRatings, eq="videoid")
count_rating = kw.Increment(VideoRatings, "rating_counter")
reset_rating = kw.Put(VideoRatings)
play = kw.Increment(VideoPlaybackStats, "views")
oldest_videos_of_user = kw.Read(UserVideos, eq="userid", order="added_date", limit=20)
videos_of_user_between = kw.Read(UserVideos, eq="userid", range="added_date", order="-added_date", limit=20)
video_of_user = kw.Get(UserVideos, eq=["userid", "added_date", "videoid"])
video_of_user_without_its_time = kw.Read(UserVideos, eq=["userid", "videoid"], limit=20)
videos_of_user_by_name = kw.Read(UserVideos, eq="userid", order="name", limit=20)
number_of_videos = kw.Count(UserVideos, eq="userid")
recommended = kw.Read(VideoRecommendations, eq="userid", order="-added_date", limit=20)
recommended_for = kw.Read(VideoRecommendationsByVideo, eq="videoid", limit=20)
comments_of_user = kw.Read(CommentsByUser, eq="userid", limit=20)
newest_comments_of_user = kw.Read(CommentsByUser, eq="userid", order="-commentid", limit=20)
comment_of_user = kw.Get(CommentsByUser, eq=["userid", "commentid"])
forget_user = kw.Delete(CommentsByUser, eq="userid")
forget_comment = kw.Delete(CommentsByUser, eq=["userid", "commentid"])
forget_comment_everywhere = kw.Delete(CommentsByUser, eq="commentid")
"""

_V3 = """\
user_of_email = kw.Read(Users, eq="email", limit=1)
latest = kw.Read(LatestVideos, eq="yyyymmdd", order="-added_date", limit=20)
latest_of_some_days = kw.Read(LatestVideos, one_of="yyyymmdd", order="-added_date", limit=20, fan_out=7)
latest_of_any_day = kw.Read(LatestVideos, range="added_date", order="-added_date", limit=20)
comments_of_video = kw.Read(CommentsByVideo, eq="videoid", limit=20)
comment = kw.Transact([kw.Put(CommentsByVideo), kw.Put(CommentsByUser)])
"""

_V4 = """\
users_of_email_and_status = kw.Read(Users, eq=["email", "account_status"], limit=20)
active_users = kw.Read(Users, where={"account_status": "active"}, order="lastname", limit=20)
videos_of_name = kw.Read(Videos, eq="name", limit=20)
videos_of_prefix = kw.Read(Videos, prefix="name", limit=20)
search_videos = kw.Read(Videos, search=["name"], limit=20)
write_user = kw.Put(Users)
write_comment = kw.Put(Comments)
tag_video = kw.Update(Videos, eq="videoid", pushes="tags")
untag_video = kw.Update(Videos, eq="videoid", sets="tags")
comment = kw.Transact([kw.Put(Comments), kw.Put(CommentsByUser)])
comment_once = kw.Transact([kw.Put(Comments, if_absent=True), kw.Put(CommentsByUser)])
activity_of_type = kw.Read(
    UserActivity, eq=["userid", "day", "activity_type"], order="-activity_timestamp", limit=100
)
activity_of_type_between = kw.Read(
    UserActivity, eq=["userid", "day", "activity_type"], range="activity_timestamp", limit=100
)
activity_by_time = kw.Read(UserActivity, eq=["userid", "day"], order="-activity_timestamp", limit=100)
activity_of_days = kw.Read(UserActivity, eq="userid", one_of="day", limit=100, fan_out=7)
activity_of_any_day = kw.Read(UserActivity, eq="userid", limit=100)
newest_of_source = kw.Read(YoutubeVideos, eq="sourceid", order="-published_at", limit=100)
unused_of_source = kw.Read(YoutubeVideos, eq="sourceid", where={"used": False}, limit=100)
"""

PATTERNS: Mapping[str, tuple[str, ...]] = {"v3": (_BOTH, _V3), "v4": (_BOTH, _V4)}
