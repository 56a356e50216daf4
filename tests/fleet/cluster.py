#!/usr/bin/env python3
"""A cluster with two workers that was started outside of wheelcheck-fleet. It prints its address and ends when its
stdin is closed."""

import sys

import distributed

if __name__ == "__main__":
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, memory_limit=0, dashboard_address=":0",
                                  silence_logs="CRITICAL") as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
