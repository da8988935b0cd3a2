"""AP, LK: indexes, those whom they serve, and how they come and go."""

from pathlib import Path

from .reports import codes_of, errors, model, report, the

READ = 'orders_of_buyer = kw.Read(Order, eq="buyer", limit=20, rate="10/s")'
ONE, TWO = 'kw.Index("buyer")', 'kw.Index(["buyer", "order_id"])'


def indexed(*indexes: str, tail: str = READ) -> str:
    return model("mongodb", "buyer: str", store=f", indexes=[{', '.join(indexes)}]", tail=tail)


def test_a_pattern_moves_to_an_index_that_was_there_before(tmp_path: Path) -> None:
    assert "AP101" not in errors(tmp_path, indexed(ONE, TWO), indexed(TWO))


def test_a_pattern_moves_to_an_index_that_is_added_first_with_a_gate_between(tmp_path: Path) -> None:
    assert "AP101" not in errors(tmp_path, indexed(ONE), indexed(TWO))


def test_a_pattern_does_not_move_if_the_old_index_is_dropped_first(tmp_path: Path) -> None:
    here = {"by": "runner", "op": "alter", "store": "mongodb/shop"}
    steps = [
        {"n": 10, "phase": "contract", "by": "human", "op": "deploy_ack"},
        {"n": 20, "phase": "contract", "applies": ["c1"], **here},
        {"n": 30, "phase": "contract", "applies": ["c2"], **here},
    ]
    moved = report(tmp_path, indexed(ONE), indexed(TWO), steps=steps)
    assert "orders_of_buyer" in the("AP101", moved).message


def test_an_index_that_is_built_anew_leaves_its_pattern_alone_meanwhile(tmp_path: Path) -> None:
    def projecting(word: str) -> str:
        above = f'one = kw.Gsi("by_buyer", pk="buyer", project={word})'
        return model("dynamodb", "buyer: str\nnote: str", above=above, head=", gsis=[one]", tail=READ)

    assert "AP101" in errors(tmp_path, projecting('["note", "order_id"]'), projecting('"all"'))


def test_an_index_for_what_it_forbids_need_serve_nobody(tmp_path: Path) -> None:
    tail = 'order = kw.Get(Order, eq="order_id", rate="1/s")'
    after = indexed('kw.Index("buyer", unique=True)', tail=tail)
    assert "AP103" not in codes_of(tmp_path, indexed(tail=tail), after)


def test_indexes_of_two_tables_may_change_in_one_step(tmp_path: Path) -> None:
    def both(head: str) -> str:
        tail = f"""
mail = kw.DynamoTable("mail"{head.replace("[one]", "[two]")})

class Letter(BaseModel):
    __store__: ClassVar = kw.Item(mail, pk="LETTER#{{letter_id}}", sk="LETTER")
    letter_id: str
    by: str
"""
        above = 'one, two = kw.Gsi("by_buyer", pk="buyer"), kw.Gsi("by_writer", pk="by")'
        return model("dynamodb", "buyer: str", above=above, head=head, tail=tail)

    steps = [{"n": 10, "phase": "expand", "by": "runner", "op": "alter", "store": "dynamodb", "applies": ["c1", "c2"]}]
    assert "LK101" not in codes_of(tmp_path, both(""), both(", gsis=[one]"), steps=steps)


def test_small_tables_need_no_budget(tmp_path: Path) -> None:
    above = 'one = kw.Gsi("by_buyer", pk="buyer", project="keys")'
    after = model("dynamodb", "buyer: str", above=above, head=", gsis=[one]")
    before = model("dynamodb", "buyer: str")
    assert "LK103" not in codes_of(tmp_path / "small", before, after, sizes={"dynamodb/shop": 1024**3})
    assert "LK103" in codes_of(tmp_path / "large", before, after, sizes={"dynamodb/shop": 50 * 1024**3})


def test_an_index_that_extends_a_serving_index_is_not_reported(tmp_path: Path) -> None:
    assert "AP103" not in codes_of(tmp_path, indexed(ONE), indexed(ONE, TWO))
    assert "AP103" in codes_of(tmp_path / "other", indexed(ONE), indexed(ONE, 'kw.Index(["order_id", "buyer"])'))


def test_an_index_that_finds_what_a_transaction_writes_serves_it(tmp_path: Path) -> None:
    tail = f'{READ}\nboth = kw.Transact([kw.Update(Order, eq="code", sets="buyer"), kw.Put(Order)], rate="1/s")'
    more = f'{ONE}, kw.Index("code", unique=True, where={{"code": kw.Present()}})'
    before = model("mongodb", "buyer: str\ncode: str | None = None", store=f", indexes=[{ONE}]", tail=READ)
    after = model("mongodb", "buyer: str\ncode: str | None = None", store=f", indexes=[{more}]", tail=tail)
    assert "AP103" not in codes_of(tmp_path, before, after)
