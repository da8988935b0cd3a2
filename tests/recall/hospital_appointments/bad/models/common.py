"""Numbers of the network, and types that all parts share."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw

# Sixty hospitals with 1,800 clinics; 120,000 appointments on a working day, six million patients in ten years.
HospitalCode = Annotated[str, Field(pattern=r"^[A-Z]{3}[0-9]{2}$"), kw.Size(avg=5, max=5), kw.Cardinality(distinct=60)]
ClinicCode = Annotated[
    str, Field(pattern=r"^[A-Z]{3}[0-9]{2}-[A-Z]{3}[0-9]{2}$"), kw.Size(avg=11, max=11), kw.Cardinality(distinct=1_800)
]
PatientKey = Annotated[UUID, kw.Cardinality(distinct=6_000_000)]
ClinicianKey = Annotated[UUID, kw.Cardinality(distinct=14_000)]
StaffKey = Annotated[UUID, kw.Cardinality(distinct=52_000)]
AppointmentKey = Annotated[UUID, kw.Cardinality(distinct=48_000_000)]

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]
Language = Annotated[str, Field(pattern=r"^[a-z]{2}$"), kw.Size(avg=2, max=2)]
PersonName = Annotated[str, Field(max_length=80), kw.Size(avg=12, max=160), kw.Pii()]
Phone = Annotated[str, Field(pattern=r"^\+[0-9]{6,15}$"), kw.Size(avg=13, max=16), kw.Pii()]
Euro = Annotated[Decimal, Field(max_digits=10, decimal_places=2)]

# Names are the same with and without accents and capitals.
BY_NAME = kw.Collation(locale="de", strength=1)


class Specialty(StrEnum):
    """What a clinic does."""

    CARDIOLOGY = "cardiology"
    DERMATOLOGY = "dermatology"
    ORTHOPAEDICS = "orthopaedics"
    NEUROLOGY = "neurology"
    ONCOLOGY = "oncology"
    PAEDIATRICS = "paediatrics"
    RADIOLOGY = "radiology"
    GENERAL = "general"


class Channel(StrEnum):
    """How a patient is reached."""

    SMS = "sms"
    EMAIL = "email"
    PUSH = "push"


class GeoPoint(BaseModel):
    """Longitude and latitude, as GeoJSON."""

    type: Annotated[str, Field(pattern="^Point$")] = "Point"
    coordinates: Annotated[list[float], Field(min_length=2, max_length=2)]
