"""wheelcheck-fleet: judges the wheels of an index on the workers of a Dask cluster. `pip install wheelcheck[fleet]`."""
