package dev.sluice.config.caller;

import dev.sluice.config.yaml.FilePosition;
import java.util.List;

/** The subjects an endpoint counts by, and where the file says so. */
public record CountedSubjects(List<String> names, FilePosition position) {}
