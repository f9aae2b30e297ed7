package dev.sluice.cli.limits;

import dev.sluice.Block;
import dev.sluice.Subject;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.command.StoreOption;
import dev.sluice.cli.fleet.BlockedCallers;
import dev.sluice.cli.fleet.CallerFilter;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.fleet.ServiceFileOption;
import dev.sluice.cli.limits.check.NameCheck;
import dev.sluice.cli.limits.check.TypedClient;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Ends the blocks of a caller. */
@Command(
        name = "unblock",
        description = "Ends the blocks of a caller, at one endpoint or at all endpoints. Every instance applies this "
                + "within a second. The caller's next block is as short as its first.")
final class Unblock implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "CALLER",
            description =
                    "A subject value, such as acme, or a subject with its value, as top shows it: tenant=acme; or a "
                            + "client name.")
    private String caller = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ENDPOINT",
            description = "The id of an endpoint in the file; default: all endpoints.")
    private @Nullable String endpoint;

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private ServiceFileOption serviceFile = new ServiceFileOption();

    Unblock() {}

    @Override
    public void run() {
        try (StoreConnection open = store.open()) {
            long now = open.counters(LiveCounters::nowMillis);
            List<FollowedFile> known = serviceFile.findIfAnswered(open);
            List<Block> found = blocksOf(caller, open, now);
            // The argument is not the subject value of any blocked caller, so it might be a display name or a secret.
            if (found.isEmpty()) {
                found = known.stream()
                        .flatMap(
                                file -> Stream.concat(TypedClient.named(caller, file.limits()), secrets(file.limits())))
                        .map(client -> client.name() + '=' + client.value())
                        .distinct()
                        .flatMap(client -> blocksOf(client, open, now).stream())
                        .toList();
            }
            List<Block> ended = found.stream()
                    .filter(block -> StoreChange.of(() -> open.blocks(blocks -> blocks.unblock(block.key()))))
                    .toList();
            ended.forEach(block -> spec.commandLine()
                    .getOut()
                    .println(BlockedCallers.line(block, known)
                            + " is unblocked; it is refused only while its limit is used up"));
            if (ended.isEmpty()) {
                requireEndpoint(known);
                throw new CommandFailure(ExitCodes.NOTHING_SET, nobody(BlockedCallers.of(open, CallerFilter.ALL, now)));
            }
        }
    }

    /**
     * Treats the argument as a secret of each subject, and returns the hashes, because counters contain only hashes of
     * secrets.
     */
    private Stream<Subject> secrets(Limits limits) {
        return limits.subjects().entrySet().stream()
                .map(chain -> secret(chain.getKey(), chain.getValue()))
                .flatMap(Optional::stream);
    }

    private Optional<Subject> secret(String subject, List<SubjectSource> chain) {
        String before = subject + '=';
        String value = caller.startsWith(before) ? caller.substring(before.length()) : caller;
        return SubjectKey.mayBeClearSecret(chain, value)
                ? Optional.of(new Subject(subject, "", SubjectKey.of(chain, value)))
                : Optional.empty();
    }

    private List<Block> blocksOf(String client, StoreConnection open, long nowMillis) {
        CallerFilter filter = new CallerFilter(Optional.of(client), Optional.ofNullable(endpoint));
        return BlockedCallers.of(open, filter, nowMillis);
    }

    private void requireEndpoint(List<FollowedFile> files) {
        String id = endpoint;
        if (id != null
                && !files.isEmpty()
                && files.stream().allMatch(file -> file.endpoint(id).isEmpty())) {
            throw new CommandFailure(ExitCodes.UNKNOWN_NAME, NameCheck.unknownEndpoint(id, files.get(0)));
        }
    }

    private String nobody(List<Block> all) {
        String near = Nearest.to(
                caller,
                all.stream()
                        .flatMap(block -> block.key().subjects().stream())
                        .map(subject -> subject.value())
                        .collect(Collectors.toSet()));
        return SafeText.cut(caller, 80) + " is not blocked"
                + (endpoint == null ? "" : " at " + SafeText.cut(endpoint, 80))
                + (near == null || near.equals(caller) ? "" : "; did you mean " + SafeText.cut(near, 80) + "?");
    }
}
