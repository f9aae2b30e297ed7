package dev.sluice.config;

import java.util.List;

/** The subjects an endpoint counts by, and where the file says so. */
record CountedSubjects(List<String> names, FilePosition position) {}
