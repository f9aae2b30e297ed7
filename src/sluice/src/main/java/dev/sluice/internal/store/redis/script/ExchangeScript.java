package dev.sluice.internal.store.redis.script;

import static java.util.Map.entry;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.exchange.Batch.Gift;
import dev.sluice.exchange.Batch.Presence;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.algorithm.BusyPeriods;
import dev.sluice.internal.cell.StoreProtocol;
import io.lettuce.core.codec.Base16;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The script that applies batches, with the calls that run it. The source of the script is split into several files.
 * The {@code batch.lua} file describes them.
 *
 * @param channel the channel for news that affects all instances
 */
public record ExchangeScript(TimeToLive expiry, String channel) {

    /** The files of the script, in order. Later files use definitions from earlier files. */
    static final List<String> FILES = List.of(
            "batch",
            "shares",
            "fleet",
            "rules",
            "total",
            "frame",
            "bucket",
            "log",
            "slots",
            "news",
            "statements",
            "reply");

    /**
     * The constants that the script shares with Java. In the script files, their names have the prefix {@code Java.}.
     */
    static final Map<String, Number> CONSTANTS = Map.ofEntries(
            entry("StoreProtocol.PART_AHEAD", StoreProtocol.PART_AHEAD),
            entry("StoreProtocol.RECALL_GROWTH", StoreProtocol.RECALL_GROWTH),
            entry("StoreProtocol.MOST_GROWTHS", StoreProtocol.MOST_GROWTHS),
            entry("StoreProtocol.MOST_WAITING", StoreProtocol.MOST_WAITING),
            entry("StoreProtocol.MOST_LAPSED", StoreProtocol.MOST_LAPSED),
            entry("StoreProtocol.LONGEST_LAPSED", StoreProtocol.LONGEST_LAPSED.toMillis()),
            entry("StoreProtocol.LATE_LEASES", StoreProtocol.LATE_LEASES),
            entry("Gift.MOST", Gift.MOST),
            entry("BusyPeriods.MOST", BusyPeriods.MOST),
            entry("BusyPeriods.GRAINS", BusyPeriods.GRAINS),
            entry("BusyPeriods.ABOUT_MILLIS", BusyPeriods.ABOUT_MILLIS),
            entry("BusyPeriods.LONGEST_CHANGE_MILLIS", BusyPeriods.LONGEST_CHANGE_MILLIS),
            entry("StoredForm.LONGEST_NUMBER", StoredForm.LONGEST_NUMBER),
            entry("StoredForm.MOST_COUNT", StoredForm.MOST_COUNT),
            entry("StoredForm.LONGEST_COUNT", StoredForm.LONGEST_COUNT),
            entry("StoredForm.LONGEST_FIELD", StoredForm.LONGEST_FIELD),
            entry("StoredForm.LONGEST_BUCKET", StoredForm.LONGEST_BUCKET),
            entry("StoredForm.MOST_SLOT_HOLDERS", StoredForm.MOST_SLOT_HOLDERS),
            entry("StoredForm.LONGEST_SLOTS", StoredForm.LONGEST_SLOTS),
            entry("StoredForm.SPAN", StoredForm.SPAN),
            entry("StoredForm.MOST_DOUBLINGS", StoredForm.MOST_DOUBLINGS));

    private static final Pattern CONSTANT = Pattern.compile("\\bJava\\.(\\w+\\.\\w+)");

    static final String TEXT = FILES.stream()
            .map(ExchangeScript::load)
            .map(ExchangeScript::withConstants)
            .collect(Collectors.joining("\n"));
    private static final String DIGEST = Base16.digest(TEXT.getBytes(StandardCharsets.UTF_8));

    /**
     * Creates a call that identifies the script by its digest. It fails with NOSCRIPT if Redis does not have the
     * script.
     */
    public AsyncCommand<String, String, String> callByDigest(Batch batch, Chunk chunk) {
        return call(CommandType.EVALSHA, DIGEST, batch, chunk);
    }

    /** Creates a call that contains the full source of the script. Redis then caches the script. */
    public AsyncCommand<String, String, String> callByText(Batch batch, Chunk chunk) {
        return call(CommandType.EVAL, TEXT, batch, chunk);
    }

    AsyncCommand<String, String, String> call(CommandType type, String script, Batch batch, Chunk chunk) {
        List<Statement> statements = chunk.positions().stream()
                .map(position -> batch.statements().get(position))
                .toList();
        List<String> counters = statements.stream()
                .flatMap(ExchangeScript::counters)
                .map(CounterKey::text)
                .toList();
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8).add(script);
        args.add(2 + counters.size())
                .addKey(chunk.shares())
                .addKey(chunk.birth())
                .addKeys(counters);
        args.add(String.format(Locale.ROOT, "%019d", batch.sequence()));
        args.add(expiry.grace().toMillis()).add(expiry.answer().toMillis());
        args.add(batch.instance()).add(channel).add(chunk.number());
        args.add(expiry.sequence().toMillis()).add(batch.madeMillis());
        args.add(presence(chunk.presence(batch)));
        args.add(batch.limitsSinceMillis());
        statements.forEach(statement -> addStatement(args, statement));
        return new AsyncCommand<>(new Command<>(type, new ValueOutput<>(StringCodec.UTF8), args));
    }

    /** How long to consider the sender alive from now on; empty if the batch does not state the sender's presence. */
    private static String presence(Presence presence) {
        return switch (presence) {
            case NOT_STATED -> "";
            case ALIVE -> String.valueOf(Fleet.LIFE.toMillis());
            case LEAVING -> "0";
        };
    }

    /** The key of a statement's counter, followed by the keys of its earlier frames. */
    private static Stream<CounterKey> counters(Statement statement) {
        return Stream.concat(Stream.of(statement.key()), statement.framesBefore().stream());
    }

    /** Adds the statement's figures, followed by the letter of its rule and the rule's figures. */
    private static void addStatement(CommandArgs<String, String> args, Statement statement) {
        boolean gives = !statement.gift().equals(Gift.NONE);
        args.add(statement.used()).add(statement.held());
        args.add(statement.needed().all())
                .add(statement.needed().least())
                .add((statement.needed().isUsedAtOnce() ? 1 : 0)
                        + (statement.mayReturn() ? 2 : 0)
                        + (statement.needed().mayReturn() ? 4 : 0)
                        + (gives ? 8 : 0))
                .add(statement.needed().repeats())
                .add(statement.wanted());
        args.add(statement.leaseMillis());
        if (statement.rule() instanceof Rule.Total total) {
            addRule(args, "T", statement).add(total.cap()).add(statement.key().end());
        } else if (statement.rule() instanceof Rule.Frame frame) {
            addRule(args, "F", statement).add(frame.most()).add(frame.frames());
            args.add(statement.key().start()).add(statement.key().end());
        } else if (statement.rule() instanceof Rule.Bucket bucket) {
            addRule(args, "B", statement)
                    .add(bucket.token())
                    .add(bucket.milli())
                    .add(bucket.depth())
                    .add(bucket.furthest());
            addUses(args, statement.uses());
        } else if (statement.rule() instanceof Rule.Log log) {
            addRule(args, "L", statement).add(log.most()).add(log.periodMillis());
            addUses(args, statement.uses());
        } else if (statement.rule() instanceof Rule.Slots slots) {
            addRule(args, "P", statement).add(slots.most()).add(slots.inUse());
            args.add(slots.sinceMillis()).add(slots.asOfMillis());
        }
    }

    /** Adds the letter of a rule and, if operators give calls, the number of calls. */
    private static CommandArgs<String, String> addRule(
            CommandArgs<String, String> args, String letter, Statement statement) {
        args.add(letter);
        return statement.gift().equals(Gift.NONE)
                ? args
                : args.add(statement.gift().calls()).add(statement.gift().known());
    }

    private static void addUses(CommandArgs<String, String> args, List<Batch.Use> uses) {
        args.add(uses.size());
        uses.forEach(use -> args.add(use.agoMillis()).add(use.count()));
    }

    /** Replaces the names of constants with their values. */
    static String withConstants(String lua) {
        return CONSTANT.matcher(lua).replaceAll(name -> {
            Number value = CONSTANTS.get(name.group(1));
            if (value == null) {
                throw new IllegalStateException("The script needs " + name.group() + ", which ExchangeScript lacks");
            }
            return inLua(value);
        });
    }

    /**
     * Formats a value as digits, without an exponent. The value must be exact as a double, because numbers in Lua are
     * doubles.
     */
    private static String inLua(Number value) {
        BigDecimal exact = new BigDecimal(value.toString());
        if (new BigDecimal(exact.doubleValue()).compareTo(exact) != 0) {
            throw new IllegalStateException("Lua has no number " + exact);
        }
        return exact.toPlainString();
    }

    static String load(String name) {
        String file = name + ".lua";
        try (InputStream in = ExchangeScript.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing from Sluice's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
