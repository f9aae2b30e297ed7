package dev.sluice.bypass;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The attacks in {@code attacks.txt}, the spellings of a context path in {@code contexts.txt}, and the attacks that
 * only one protocol can express, in {@code connections.txt} and {@code fields.txt}.
 */
final class Corpus {

    private static final List<Attack> ATTACKS =
            lines("attacks.txt").stream().map(Attack::parse).toList();

    private static final List<String> CONTEXTS = lines("contexts.txt");
    private static final List<String> BEHIND = List.of(
            "/login",
            "//login",
            "/x/../login",
            "/login;a",
            "/%6cogin",
            "/x/..%2flogin",
            "%2flogin",
            "\\login",
            "%5clogin",
            "/api/x",
            "/orgs/N0/../acme/x",
            "//../login");

    private Corpus() {}

    /** The attacks for an application that is mounted at the root, over HTTP/1 only. */
    static List<Sent> connections() {
        return lines("connections.txt").stream().map(Attack::connection).toList();
    }

    /** The same over HTTP/2. */
    static List<Sent> fields() {
        return lines("fields.txt").stream().map(Attack::fields).toList();
    }

    /** On an application that is mounted there. */
    static List<Attack> at(String contextPath) {
        return ATTACKS.stream().map(attack -> attack.at(contextPath)).toList();
    }

    /** On an application that is mounted at {@code /app}, which is written in other ways. */
    static List<Attack> atOddContexts() {
        List<Attack> attacks = new ArrayList<>();
        CONTEXTS.forEach(context -> BEHIND.forEach(path -> attacks.add(Attack.get(context + path))));
        return attacks;
    }

    private static List<String> lines(String name) {
        try (InputStream text = Objects.requireNonNull(Corpus.class.getResourceAsStream("/bypass/" + name), name)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("# "))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
