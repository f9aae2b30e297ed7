package dev.sluice.internal.config.caller;

import dev.sluice.internal.config.yaml.FilePosition;
import java.util.List;

/** The subjects that an endpoint is keyed by, with their position in the file. */
public record KeySubjects(List<String> names, FilePosition position) {}
