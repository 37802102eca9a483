"""The paged caches of a model's layers, viewed once for many calls."""

from __future__ import annotations

from collections.abc import Sequence

from .arrays import HostArray, require_writable
from .cache_layouts import PagedCache, geometry_of, paged_cache, view_cache
from .compiled import core
from .errors import InputError
from .places import HostPlace
from .scalars import INT64_MAX, as_integer


class LayeredCache:
    """The paged KV caches of several layers of one model, on the host; nothing is copied.

    Parameters
    ----------
    key_caches, value_caches : one array a layer, shapes as ``paged_attention_v2`` takes them, by ``layout``
        float32, float16, uint16 (bfloat16) or uint8 (fp8); all of one shape and
        dtype.  value_caches is None for ``packed``.
    layout, kv_cache_dtype : as in ``paged_attention_v2``
    first_layer, first_head : int
        Place in the whole model of the first layer and of every layer's first KV head.

    Errors: TypeError for a wrong dtype; InputError for no layer, or shapes and strides that do not fit.
    """

    def __init__(
        self,
        key_caches: Sequence[HostArray],
        value_caches: Sequence[HostArray] | None,
        *,
        layout: str = "split_x",
        kv_cache_dtype: str = "auto",
        first_layer: int = 0,
        first_head: int = 0,
    ) -> None:
        values = [None] * len(key_caches) if value_caches is None else list(value_caches)
        if not key_caches or len(values) != len(key_caches):
            raise InputError(f"there are {len(key_caches)} key caches and {len(values)} value caches; pass one a layer")
        place = HostPlace("key_caches[0]")
        self._caches = [
            paged_cache(place, key, value, layout, kv_cache_dtype)
            for key, value in zip(key_caches, values, strict=True)
        ]
        _require_one_kind(self._caches)
        geometry = geometry_of(self._caches[0])
        self.num_layers = len(self._caches)
        self.num_blocks = int(self._caches[0].key.shape[0])
        self.block_size = geometry.block_size  # tokens
        first = as_integer("first_layer", first_layer, low=0, high=INT64_MAX - self.num_layers)
        self.core = core.CacheLayers(
            caches=[view_cache(cache, geometry) for cache in self._caches],
            layers=list(range(first, first + self.num_layers)),
            first_head=as_integer("first_head", first_head, low=0, high=INT64_MAX),
        )

    def require_writable(self) -> None:
        """Errors: InputError naming the first read-only array."""
        for layer, cache in enumerate(self._caches):
            require_writable(f"key_caches[{layer}]", cache.key)
            if cache.value is not None:
                require_writable(f"value_caches[{layer}]", cache.value)


def _require_one_kind(caches: Sequence[PagedCache]) -> None:
    first = caches[0].key
    for layer, cache in enumerate(caches):
        if (cache.key.shape, cache.key.dtype) != (first.shape, first.dtype):
            raise InputError(
                f"key_caches[{layer}] has shape {cache.key.shape} and dtype {cache.key.dtype}, key_caches[0] "
                f"{first.shape} and {first.dtype}; the layers of a model are alike"
            )
