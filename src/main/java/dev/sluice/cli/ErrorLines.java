package dev.sluice.cli;

import dev.sluice.LimitsException;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.text.ProblemList;
import dev.sluice.config.shape.Nearest;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says in one line why a command did not do its work; never with a stack trace. Only the problems of a file may be
 * several.
 */
final class ErrorLines {

    private ErrorLines() {}

    /** The command line was not understood. */
    static int usage(ParameterException complaint, String[] arguments) {
        CommandLine command = complaint.getCommandLine();
        String what = complaint instanceof UnmatchedArgumentException unmatched
                ? "'" + unmatched.getUnmatched().get(0) + "' is not understood" + guess(guesses(unmatched))
                : wholeNumber(complaint.getMessage());
        String help = command.getCommandSpec().qualifiedName() + " --help";
        command.getErr().println("sluice: " + oneLine(what) + " (see " + help + ")");
        return ExitCode.USAGE;
    }

    /** Speaks of numbers as people do, not of the types of Java. */
    private static String wholeNumber(@Nullable String complaint) {
        return Objects.requireNonNullElse(complaint, "")
                .replaceFirst(" is not an? (int|long)$", " is not a whole number");
    }

    /** Of the commands that there are, the one that is spelt most like it; or what else there is. */
    private static List<String> guesses(UnmatchedArgumentException unmatched) {
        String near = Nearest.to(
                unmatched.getUnmatched().get(0),
                unmatched.getCommandLine().getSubcommands().keySet());
        return near == null ? unmatched.getSuggestions() : List.of(near);
    }

    private static String guess(List<String> guesses) {
        return guesses.isEmpty() ? "" : "; did you mean " + guesses.get(0) + "?";
    }

    /** The command was understood, and failed. */
    static int failure(Exception fault, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (fault instanceof LimitsException limits) {
            new ProblemList(limits.problems()).print(err);
        } else if (fault instanceof CommandFailure failure) {
            err.println("sluice: " + oneLine(fault.getMessage()));
            return failure.exitCode();
        } else {
            err.println("sluice: an unexpected error, which is a defect of this command: " + oneLine(fault.toString()));
        }
        return ExitCode.SOFTWARE;
    }

    private static String oneLine(@Nullable String message) {
        return Objects.requireNonNullElse(message, "").strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
