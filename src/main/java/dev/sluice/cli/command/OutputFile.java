package dev.sluice.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a command writes. */
public final class OutputFile {

    private OutputFile() {}

    /** Writes it, and makes the directory that it is to lie in. */
    public static void write(Path file, String content) {
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new CommandFailure(file + " cannot be written: " + e, e);
        }
    }
}
