"""Implement systems that this project is compared with, as their papers describe
them.
"""
