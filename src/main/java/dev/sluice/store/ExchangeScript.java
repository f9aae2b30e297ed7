package dev.sluice.store;

import dev.sluice.Batch;
import dev.sluice.Batch.Rule;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The script of {@code exchange.lua}: how it is called. */
record ExchangeScript(Expiry expiry) {

    private static final String TEXT = load();
    private static final String DIGEST = sha1(TEXT);

    /** The usual call, which fails with NOSCRIPT if Redis does not know the script yet. */
    AsyncCommand<String, String, String> callByDigest(Batch batch, Chunk chunk) {
        return call(CommandType.EVALSHA, DIGEST, batch, chunk);
    }

    /** The long call, after which Redis knows the script. */
    AsyncCommand<String, String, String> callByText(Batch batch, Chunk chunk) {
        return call(CommandType.EVAL, TEXT, batch, chunk);
    }

    private AsyncCommand<String, String, String> call(CommandType type, String script, Batch batch, Chunk chunk) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8).add(script);
        args.add(chunk.places().size() + 2).addKey(chunk.record()).addKey(chunk.firstRecord());
        for (int place : chunk.places()) {
            args.addKey(batch.claims().get(place).key().text());
        }
        args.add(String.format("%019d", batch.sequence()));
        args.add(expiry.grace().toMillis()).add(expiry.answer().toMillis());
        for (int place : chunk.places()) {
            Batch.Claim claim = batch.claims().get(place);
            args.add(claim.spent()).add(claim.wanted()).add(claim.atLeast());
            addRule(args, claim);
        }
        return new AsyncCommand<>(new Command<>(type, new ValueOutput<>(StringCodec.UTF8), args));
    }

    /** A letter for the rule, and its figures. */
    private static void addRule(CommandArgs<String, String> args, Batch.Claim claim) {
        if (claim.rule() instanceof Rule.Total total) {
            args.add("T").add(total.cap()).add(claim.key().end()).add(total.outlivesMillis());
        } else if (claim.rule() instanceof Rule.Flow flow) {
            args.add("F").add(flow.token()).add(flow.milli()).add(flow.depth()).add(flow.furthest());
        } else if (claim.rule() instanceof Rule.Logged logged) {
            args.add("L").add(logged.most()).add(logged.periodMillis());
        } else if (claim.rule() instanceof Rule.Leased leased) {
            args.add("P").add(leased.most()).add(leased.leaseMillis());
        }
    }

    private static String load() {
        try (InputStream in = ExchangeScript.class.getResourceAsStream("exchange.lua")) {
            if (in == null) {
                throw new IllegalStateException("exchange.lua is missing from Sluice's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
