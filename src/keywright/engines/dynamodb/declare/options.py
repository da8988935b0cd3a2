"""DynamoDB's model options: tables, indexes, and the keys of an entity's items in them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from keywright.declare.declared import Declared, subject
from keywright.declare.names import Names, names
from keywright.declare.predicates import Indexable, conditions
from keywright.declare.store import VERSION, Physical, Rebuildable, Store
from keywright.declare.stream import Stream
from keywright.declare.suppression import Ignore
from keywright.ir.pattern import ConstantCondition
from keywright.ir.text import counted

DynamoType: TypeAlias = Literal["S", "N", "B", "SS", "NS", "BS", "L", "M"]
"""Native types that a field may have instead of the default one."""


class Gsi(Declared):
    """A global secondary index; an item is in it exactly when it has all its key attributes."""

    name: str = subject(kw_only=False)
    """The physical name."""
    pk: Names
    """Partition key: one attribute filled by templates (`key`), or one to four fields that items have anyway."""
    sk: Names | None = None
    """Sort key: none, one attribute filled by templates, or one to four fields, asked from left to right."""
    project: Literal["all", "keys"] | list[str] = "all"
    """What is copied into the index: everything by default, so that no read needs a second one; less is cheaper."""
    renamed_from: str | None = None
    """The former name."""
    ignores: list[Ignore] = []
    """Findings accepted here."""

    def key(self, *, pk: str | None = None, sk: str | None = None, where: Indexable | None = None) -> "GsiKey":
        """An entity's key templates in this index; with `where`, the index contains only items that fulfil it.

        pk, sk: left out if items already have the attribute, such as the table's own key in an inverted index.
        """
        return GsiKey(gsi=self, pk=pk, sk=sk, where=where or {})

    def check(self) -> None:
        """See `Declared.check`."""
        for part, attributes in (("pk", names(self.pk)), ("sk", names(self.sk))):
            if len(attributes) > 4:
                problem = f'index "{self.name}": {part} has {counted(len(attributes), "attribute")}, DynamoDB allows 4'
                self.wrong("DDB105", problem, "remove fields, or fill one attribute by a template")
        key = [*names(self.pk), *names(self.sk)]
        for name in dict.fromkeys(name for name in key if key.count(name) > 1):
            self.wrong("DDB105", f'index "{self.name}" has "{name}" twice in its key', "name each attribute once")


class GsiKey(Declared):
    """One entity's key in one index; returned by `Gsi.key`."""

    method_of = ("gsi", "key")

    gsi: Gsi
    """The index."""
    pk: str | None
    """Template of its partition key, unless items already have it; an optional field makes the entity sparse there."""
    sk: str | None
    """Template of its sort key, unless items already have it."""
    where: Indexable
    """Conditions of the items in the index; all items by default."""

    def check(self) -> None:
        """See `Declared.check`."""
        gsi = self.gsi
        if isinstance(gsi.pk, list) or isinstance(gsi.sk, list):
            problem = f'index "{gsi.name}" is keyed by fields: it contains every item with all of them'
            self.wrong("E0313", problem, "remove .key(...): the fields of the index are its key")
        elif gsi.sk is None and self.sk is not None:
            self.wrong("E0314", f'index "{gsi.name}" has no sort key, but sk= is used', "remove sk=")
        elif self.pk is None and self.sk is None:
            problem = f'{gsi.name}.key(...) fills no attribute of index "{gsi.name}"'
            self.wrong("E0314", problem, "remove it: an item with all key attributes is in the index anyway")


class Lsi(Declared):
    """A local secondary index: another order inside a partition; made with the table, caps a partition at 10 GB."""

    name: str = subject(kw_only=False)
    """The physical name."""
    sk: str
    """The field by which it is sorted."""
    project: Literal["all", "keys"] | list[str] = "all"
    """What is copied into the index."""
    ignores: list[Ignore] = []
    """Findings accepted here."""


class DynamoTable(Physical, Rebuildable):
    """A table; capacity, billing, encryption, backup and protection are the environment's."""

    engine = "dynamodb"
    can_scan = True
    has_filters = True

    pk: str = "pk"
    """Name of the partition key attribute."""
    sk: str | None = "sk"
    """Name of the sort key attribute; None for a table without."""
    gsis: list[Gsi] = []
    """Global secondary indexes; append new ones at the end, the provider compares by position."""
    lsis: list[Lsi] = []
    """Local secondary indexes."""
    discriminator: str | None = "entity_type"
    """Attribute that holds the class name of every item; None if the table has one entity for ever."""
    stream: Stream | None = None
    """Its changes, if somebody reads them."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        if self.pk == self.sk:
            problem = f'table "{self.name}" has "{self.pk}" as partition key and as sort key'
            self.wrong("DDB105", problem, "choose different names, such as pk and sk")


class Item(Store):
    """An entity as items of a DynamoDB table."""

    table: DynamoTable = subject(kw_only=False)
    """The table."""
    pk: str | None = None
    """Template of the partition key; by default the field of that name."""
    sk: str | None = None
    """Template of the sort key; by default the field of that name."""
    gsis: list[GsiKey] = []
    """Its keys in the indexes that templates fill, each `index.key(pk=..., sk=...)`."""
    types: Mapping[str, DynamoType] = {}
    """Native types other than the usual ones, by field."""
    discriminator: str = ""
    """Value of the table's discriminator in its items; by default the class name."""
    former_discriminators: list[str] = []
    """Other values that stored items may have; reads accept all of them."""
    read_copies: int = 1
    """Copies of each item under keys of their own, for one item that is read more than a partition can serve."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        self.template("pk", self.pk)
        self.template("sk", self.sk)
        if self.read_copies > 1 and self.pk is None:
            problem = f'read_copies={self.read_copies} needs computed keys, and "{self.table.pk}" is a field'
            self.wrong("E0307", problem, 'write pk="..." with a template, such as pk="OFFER#{sku}"')
        if self.sk is not None and self.table.sk is None:
            problem = f'table "{self.table.name}" has no sort key, but sk="{self.sk}" is used'
            self.wrong("E0314", problem, f'remove sk=, or write kw.DynamoTable("{self.table.name}", sk="sk")')
        keyed = [key.gsi.name for key in self.gsis]
        for name in dict.fromkeys(name for name in keyed if keyed.count(name) > 1):
            problem = f'index "{name}" has {counted(keyed.count(name), "key")} here, of which only the last would apply'
            self.wrong("E0317", problem, "keep one of them: an index contains an item once")
        for key in self.gsis:
            if not any(key.gsi is gsi for gsi in self.table.gsis):
                problem = f'index "{key.gsi.name}" is not one of table "{self.table.name}"'
                text = ", ".join(f'"{gsi.name}"' for gsi in self.table.gsis) or "none"
                self.wrong("E0310", problem, f"add it to the table's gsis, which are {text}")
            self.template(f'gsi "{key.gsi.name}" pk', key.pk)
            self.template(f'gsi "{key.gsi.name}" sk', key.sk)

        self._check_discriminators()

    def _check_discriminators(self) -> None:
        values = [*([self.discriminator] if self.discriminator else []), *self.former_discriminators]
        if not values:
            return
        attribute = self.table.discriminator
        if attribute is None:
            problem = f'table "{self.table.name}" has discriminator=None, but an entity has the value "{values[0]}"'
            self.wrong("E0319", problem, 'name the attribute in the table, such as discriminator="entity_type"')
            return
        for value in values:
            if not value or {*value} & {"{", "}"}:
                problem = f"{value!r} is no value of a discriminator"
                self.wrong("E0319", problem, "write the text that its items have, without braces")
        if not self.former_discriminators:
            return
        for gsi in self.table.gsis:
            if attribute in (*names(gsi.pk), *names(gsi.sk)):
                problem = f'index "{gsi.name}" has the discriminator in its key: reads would miss former values'
                self.wrong("E0319", problem, "remove former_discriminators=, or key the index by another attribute")

    def discriminators(self, class_name: str) -> tuple[str, ...]:
        """Values of the discriminator in stored items; new items get the first one."""
        return tuple(dict.fromkeys((self.discriminator or class_name, *self.former_discriminators)))

    def is_ordered(self, argument: str) -> bool:
        """See `Store.is_ordered`: partition keys are found by equality."""
        return not argument.endswith("pk")

    def templated_attributes(self) -> Iterator[tuple[str, str]]:
        """See `Store.templated_attributes`."""
        yield from super().templated_attributes()
        if self.table.discriminator is not None:
            yield "discriminator", self.table.discriminator
        if self.schema_version > 1:
            yield f"schema_version={self.schema_version}", VERSION
        if self.pk is not None:
            yield "pk", self.table.pk
        if self.sk is not None and self.table.sk is not None:
            yield "sk", self.table.sk
        for key in (key for key in self.gsis if not key.is_rejected):
            for part, text, attribute in (("pk", key.pk, key.gsi.pk), ("sk", key.sk, key.gsi.sk)):
                yield from ((f'gsi "{key.gsi.name}" {part}', name) for name in names(attribute) if text is not None)

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Store.fields_named`."""
        yield from (("types", name) for name in self.types)
        for key in self.gsis:
            yield from ((f'gsi "{key.gsi.name}" where', name) for name in key.where)

    def conditions_named(self) -> Iterator[tuple[str, Iterable[ConstantCondition]]]:
        """See `Store.conditions_named`."""
        yield from ((f'gsi "{key.gsi.name}" where', conditions(key.where)) for key in self.gsis)

    def implicit_keys(self) -> Iterator[tuple[str, str]]:
        """See `Store.implicit_keys`."""
        if self.pk is None:
            yield "pk", self.table.pk
        if self.sk is None and self.table.sk is not None:
            yield "sk", self.table.sk

    def implicit_index_keys(self) -> Iterator[tuple[str, str, str]]:
        """See `Store.implicit_index_keys`."""
        attributes = {attribute for _, attribute in self.templated_attributes()}
        for key in (key for key in self.gsis if not key.is_rejected):
            for part, text, attribute in (("pk", key.pk, key.gsi.pk), ("sk", key.sk, key.gsi.sk)):
                yield from (
                    (key.gsi.name, part, name) for name in names(attribute) if text is None and name not in attributes
                )
