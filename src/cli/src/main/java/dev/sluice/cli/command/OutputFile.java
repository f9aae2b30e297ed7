package dev.sluice.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a command writes. */
public final class OutputFile {

    private OutputFile() {}

    /**
     * Ends the command if the file is a directory, or if it exists and must not be replaced. Call this method before
     * computing the content, so that nobody waits for a result that cannot be written.
     */
    public static void requireNew(Path file, boolean mayReplace) {
        if (Files.isDirectory(file)) {
            throw new CommandFailure("cannot write " + file + ": it is a directory; name a file in it");
        }
        if (!mayReplace && Files.exists(file)) {
            throw new CommandFailure(file + " already exists; write --force to replace it");
        }
    }

    /** Writes the file. If its directory does not exist, creates it. */
    public static void write(Path file, String content) {
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new CommandFailure("cannot write " + file + ": " + e, e);
        }
    }
}
