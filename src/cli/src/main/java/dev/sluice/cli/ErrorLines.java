package dev.sluice.cli;

import dev.sluice.LimitsException;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.output.ProblemList;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.text.SafeText;
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
 * Prints why a command failed, without a stack trace. The output is one line, or one line for each problem in a file.
 */
final class ErrorLines {

    private ErrorLines() {}

    /** Prints why the command line is invalid. */
    static int usage(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        String what = failure instanceof UnmatchedArgumentException unmatched
                ? "unknown argument '" + unmatched.getUnmatched().get(0) + "'" + guess(guesses(unmatched))
                : wholeNumber(failure.getMessage());
        String help = command.getCommandSpec().qualifiedName() + " --help";
        command.getErr().println("sluice: " + oneLine(what) + " (see " + help + ")");
        return ExitCode.USAGE;
    }

    /** Replaces the Java number types in picocli's messages with words that users understand. */
    private static String wholeNumber(@Nullable String failure) {
        return Objects.requireNonNullElse(failure, "")
                .replaceFirst(" is not an? (int|long)$", " is not a whole number");
    }

    /** Returns the command with the most similar name; picocli's suggestions if no name is similar. */
    private static List<String> guesses(UnmatchedArgumentException unmatched) {
        String near = Nearest.to(
                unmatched.getUnmatched().get(0),
                unmatched.getCommandLine().getSubcommands().keySet());
        return near == null ? unmatched.getSuggestions() : List.of(near);
    }

    private static String guess(List<String> guesses) {
        return guesses.isEmpty() ? "" : "; did you mean " + guesses.get(0) + "?";
    }

    /** Prints why a command failed. */
    static int failure(Exception fault, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (fault instanceof LimitsException limits) {
            new ProblemList(limits.problems()).print(err);
        } else if (fault instanceof CommandFailure failure) {
            err.println("sluice: " + oneLine(fault.getMessage()));
            return failure.exitCode();
        } else {
            err.println("sluice: unexpected error (a bug in this command): " + oneLine(fault.toString()));
        }
        return ExitCode.SOFTWARE;
    }

    private static String oneLine(@Nullable String message) {
        // A message can quote a file or an argument, and the quoted text can contain line breaks or control characters.
        return SafeText.of(Objects.requireNonNullElse(message, "").strip().replaceAll("\\s*\\R\\s*", " "));
    }
}
