"""Attention families by name, and which one a call runs."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from .arrays import element_type
from .cache_layouts import Geometry, PagedCache
from .compiled import core
from .errors import InputError
from .places import DevicePlace, Place
from .scalars import as_integer


class AttentionTraits(NamedTuple):
    """What an attention family promises.

    ``device``: cpu or cuda.  ``batch_invariant``: a sequence's result is
    bit-identical alone or in any batch, and for any physical block order.
    ``uses_block_n``: whether the argument ``block_n`` changes how it runs.
    """

    description: str
    device: str
    batch_invariant: bool
    uses_block_n: bool


def attention_variants() -> dict[str, AttentionTraits]:
    """Return the attention families of this build by the name that ``variant`` takes."""
    return {family[0]: AttentionTraits(*family[1:]) for family in core.attention_families()}


class WantedVariant(NamedTuple):
    """The arguments of a call that say how it runs."""

    name: str
    partition_size: int | None
    block_n: int | None

    def axes(self) -> dict[str, int | None]:
        """Return the axes that were given. Errors: TypeError, InputError."""
        sizes = {"partition_size": self.partition_size, "block_n": self.block_n}
        return {axis: None if size is None else as_integer(axis, size, low=1) for axis, size in sizes.items()}


class CacheKind(NamedTuple):
    """What device kernels are compiled for."""

    query_type: str
    num_heads: int
    layout: str
    element_type: str
    geometry: Geometry

    @classmethod
    def of(cls, cache: PagedCache, geometry: Geometry, query: NDArray[Any]) -> CacheKind:
        """Describe a call by its checked arrays."""
        return cls(element_type("query", query), query.shape[1], cache.layout, cache.element_type, geometry)


# Choices of the rule, which compiles kernels to make them, by device, kind of cache and what was wanted.
_CHOICES: dict[tuple[int, CacheKind, WantedVariant], core.AttentionVariant] = {}


def attention_variant(
    place: Place, wanted: WantedVariant, cache: core.CacheArrays, kind: CacheKind
) -> core.AttentionVariant:
    """Return the variant a call runs. Errors: InputError for one of another place, or an axis it does not have."""
    if wanted.name == "auto" and isinstance(place, DevicePlace):
        return _chosen(place, wanted, cache, kind)
    variant = core.AttentionVariant(family=None if wanted.name == "auto" else wanted.name, **wanted.axes())
    traits = attention_variants().get(variant.family)
    if traits is None:
        return variant
    device, memory = ("cuda", "a CUDA device") if isinstance(place, DevicePlace) else ("cpu", "the host")
    if traits.device != device:
        remedy = "host" if device == "cpu" else "auto"
        raise InputError(
            f"variant {variant.family} runs on device {traits.device} and these arrays lie on {memory}; use {remedy}"
        )
    if wanted.block_n is not None and not traits.uses_block_n:
        raise InputError(f"variant {variant.family} has no block_n; leave it None")
    return variant


def _chosen(
    place: DevicePlace, wanted: WantedVariant, cache: core.CacheArrays, kind: CacheKind
) -> core.AttentionVariant:
    key = place.device, kind, wanted
    if key not in _CHOICES:
        _require_groups(kind)
        _CHOICES[key] = core.choose_variant(
            cache=cache,
            query_type=kind.query_type,
            query_heads_per_kv_head=kind.num_heads // kind.geometry.num_kv_heads,
            place=place.core,
            **wanted.axes(),
        )
    return _CHOICES[key]


def _require_groups(kind: CacheKind) -> None:
    if kind.num_heads == 0 or kind.num_heads % kind.geometry.num_kv_heads != 0:
        raise InputError(
            f"num_heads is {kind.num_heads} but num_kv_heads is {kind.geometry.num_kv_heads}; use a positive multiple "
            "of num_kv_heads"
        )
