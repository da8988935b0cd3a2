"""Students by their teachers, without an index of the array."""

school = kw.MongoDatabase("school")


class Student(BaseModel):
    __store__: ClassVar = kw.Collection(school, "students", id="{student_id}")

    student_id: str
    teachers: Annotated[list[str], Field(max_length=20)]


students_of = kw.Read(Student, contains="teachers", limit=50, rate="1/s")
same_teachers = kw.Read(Student, exactly="teachers", limit=50, rate="1/s")
