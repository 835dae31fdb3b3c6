"""Run the steps of induction as passes: functions from values to a value.

Comes in: sample pages. Goes out: extraction typings (`analysis`), then a verified
wrapper and findings (`generalisation`). `pipeline` calls the passes in order.
"""
