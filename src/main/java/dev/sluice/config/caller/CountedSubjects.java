package dev.sluice.config.caller;

import dev.sluice.config.yaml.FilePosition;
import java.util.List;

/** The subjects that an endpoint counts by, and their position in the file. */
public record CountedSubjects(List<String> names, FilePosition position) {}
