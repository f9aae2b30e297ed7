package dev.sluice.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever is wrong with a uri: no message shows a piece of its password, also where a character in it, which is not
 * encoded, makes the rest look like another part of the uri.
 */
class PasswordInMessageTest {

    private static final List<String> SEPARATORS = List.of(
            "/", "?", "#", "@", ":", "&", "=", ",", ";", "%", "%4", "+", " ", "[", "]", "//", "://", "?a=", "&w=");

    private static final List<String> SCHEMES = List.of(
            "redis://",
            "rediss://",
            "redis-sentinel://",
            "redis-cluster://",
            "mongodb://",
            "mongodb+srv://",
            "http://",
            "redis:",
            "memory:",
            "");

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":<>@host:6379",
                ":<>%40host:6379",
                "user:<>@host/2",
                "user:<>",
                ":<>",
                "<>@host",
                "<>%40host#main",
                "host?sentinelPassword=<>",
                "host?sentinelPassword=<>#main",
                "host/?w=<>"
            })
    void noPieceIsShown(String pattern) {
        for (String scheme : SCHEMES) {
            for (String separator : SEPARATORS) {
                String uri = scheme + pattern.replace("<>", "Hun4" + separator + "Ter5");
                String problem = CounterStores.problemWith(uri);
                if (problem != null) {
                    assertThat(problem)
                            .as(uri)
                            .doesNotContainIgnoringCase("Hun4")
                            .doesNotContainIgnoringCase("Ter5");
                }
            }
        }
    }
}
