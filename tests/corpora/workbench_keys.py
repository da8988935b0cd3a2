"""What Workbench models do not say, as they know no entities: how they are keyed, and which patterns are about them."""

from collections.abc import Mapping

from keywright.record import Record


class Kept(Record):
    """One entity of a model."""

    pk: str
    sk: str
    asked: tuple[str, ...] = ()
    """The documented patterns that are about it."""
    repaired: str = ""
    """The sort key that keywright's own message asks for, where it refuses the one of the model."""


ENTITIES: Mapping[str, Mapping[str, Kept]] = {
    "ChatSystem": {
        "Room": Kept("Room:{room}", "meta", ("createChatRoom", "deleteChatRoom")),
        "Joined": Kept("User:{user}", "Join:{room}", ("joinChatRoom", "leaveChatRoom")),
        "Comment": Kept(
            "User:{user}",
            "{posted_at:iso}",
            (
                "addComments", "getAllComments", "getLatestComments", "getFromLatestToSpecifiedPositionComments",
                "getFromPositionToPositionComments",
            ),
            repaired="COMMENT#{posted_at:iso}",
        ),
    },
    "ComplaintManagement": {
        "Complaint": Kept(
            "{complaint_id}",
            "metadata",
            (
                "Get complaint metadata", "Get all complaints for a customer", "Find complaints escalated to an agent",
                "Find complaints by severity and state",
            ),
        ),
        "Communication": Kept(
            "{complaint_id}",
            "comm#{comm_date:iso}#{comm_id}",
            (
                "Get all communications for a complaint", "View agent's communication history",
                "Track complaint state changes",
            ),
        ),
    },
    "RecurringPayments": {
        "Subscription": Kept(
            "ACC#{account}",
            "SUB#{subscription}#SKU#{SKU}",
            (
                "Get all subscriptions for an account", "Get specific subscription details", "Create new subscription",
                "Update subscription", "Find accounts needing reminders for a specific date",
                "Find accounts with payments due on a specific date",
            ),
        ),
        "Receipt": Kept(
            "ACC#{account}",
            "REC#{ProcessedDate:iso}#SKU#{SKU}",
            ("Get all receipts for an account", "Create new receipt"),
        ),
    },
    "SessionManagement": {
        "Session": Kept(
            "suuid#{session}",
            "c#{customer}",
            (
                "createSession", "getSessionBySessionId", "expireSession", "getLastLoginTimeByCustomerId",
                "getSessionIdByCustomerId", "getSessionsByCustomerId",
            ),
        ),
        "ChildSession": Kept(
            "suuid#{session}", "child#suuid#{child}", ("getChildSessionsBySessionId", "getSessionByChildSessionId")
        ),
    },
    "SocialNetwork": {
        "User": Kept("u#{user}", '"info"', ("getUserInfoByUserID",)),
        "Counts": Kept("u#{user}", '"count"'),
        "Follower": Kept("u#{user}#follower", "u#{follower}", ("getFollowerListByUserID",)),
        "Following": Kept("u#{user}#following", "u#{followed}", ("getFollowingListByUserID",)),
        "Post": Kept("u#{user}#post", "p#{post}", ("getPostListByUserID",)),
        "Like": Kept("p#{post}#likelist", "u#{user}", ("getUserLikesByPostID",)),
        "LikeCount": Kept("p#{post}#likecount", '"count"', ("getLikeCountByPostID",)),
        "TimelineEntry": Kept("u#{user}#timeline", "p#{post}#u#{author}", ("getTimelineByUserID",)),
    },
}  # fmt: skip

MEANT: Mapping[str, tuple[str, ...]] = {
    "ComplaintManagement": (
        "escalated_at_some_time = kw.Read("
        'Complaint, eq="escalated_to", where={"escalation_time": kw.Present()}, order="-escalation_time", limit=100)',
    ),
    "RecurringPayments": (
        'reminders = kw.Read(Subscription, eq="NextReminderDate", fields=["Email", "SKU"], limit=100)',
        'reminded_accounts = kw.Read(Subscription, eq="NextReminderDate", fields=["account", "Email"], limit=100)',
        'receipts_by_time = kw.Read(Receipt, eq="account", range="ProcessedDate", order="-ProcessedDate", limit=100)',
        'subscription_by_sku = kw.Read(Subscription, eq=["account", "SKU"], limit=100)',
    ),
    "SessionManagement": ('last_login = kw.Read(Session, eq="customer", order="-last_login_time", limit=1)',),
    "SocialNetwork": (
        'is_following = kw.Get(Following, eq=["user", "followed"])',
        'posts_by_time = kw.Read(Post, eq="user", order="-timestamp", limit=20)',
        'liked_by = kw.Read(Like, eq="user", limit=100)',
    ),
}
"""Patterns of our own beside the documented ones: what their authors may have meant, and what the keys do not give."""
