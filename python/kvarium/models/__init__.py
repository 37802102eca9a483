"""Real language models as sources of KV caches.

``python -m kvarium.models.smollm2`` runs a small model in NumPy, keeps its keys
and values in kvarium's paged cache, attends them with ``paged_attention_v2`` and
writes what it saw as a model dump.  ``docs/models.md`` describes both.
"""
