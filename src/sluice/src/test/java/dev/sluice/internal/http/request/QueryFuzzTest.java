package dev.sluice.internal.http.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.sluice.Fuzz;
import dev.sluice.MutatedInputs;
import java.net.URLDecoder;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.MethodSource;

/** In each reading of any query, parameters are found and decoded as the JDK does. */
class QueryFuzzTest implements MutatedInputs {

    private static final Pattern MALFORMED = Pattern.compile("%(?![0-9a-fA-F]{2})");
    private static final int READINGS = 4;
    private static final int MOST_NAMES = 20;
    /** The longest query that Tomcat and Jetty accept. */
    private static final int LONGEST_QUERY = 8_192;

    static Stream<String> queries() {
        return Fuzz.corpus("queries.txt");
    }

    @MethodSource("queries")
    @FuzzTest(maxDuration = "5m")
    void aParameterIsFoundInEachReading(@NotNull String input) {
        Fuzz.read(input, text -> {
            String query = asSent(text);
            int readings = QueryString.readings(query);
            assertThat(readings).isIn(1, READINGS - 1, READINGS);
            for (String name : names(query)) {
                assertThat(QueryString.first(query, name, 0)).isEqualTo(slowly(query, name, 0));
                for (int reading = 0; reading < READINGS; reading++) {
                    assertThat(QueryString.first(query, name, reading))
                            .as("reading %s of %s", reading, name)
                            .isEqualTo(slowly(query, name, readings == 1 ? 0 : reading));
                }
            }
        });
    }

    @MethodSource("queries")
    @FuzzTest(maxDuration = "5m")
    void aLongQueryIsReadAtOnce(@NotNull String input) {
        Fuzz.read(input, text -> {
            String query = (asSent(text) + "&").repeat(20_000 / (16 + text.length()));
            int readings = QueryString.readings(query);
            for (int reading = 0; reading < readings; reading++) {
                assertThat(QueryString.first(query + "not-in-the-corpus", "not-in-the-corpus", reading))
                        .isNotNull();
            }
        });
    }

    /** Without unpaired surrogates, which UTF-8 cannot encode. */
    private static String asSent(String text) {
        String bounded = text.substring(0, Math.min(text.length(), LONGEST_QUERY));
        return new String(bounded.getBytes(UTF_8), UTF_8);
    }

    /** Reads all parameters in all readings, and one that is missing. */
    private static Set<String> names(String query) {
        Set<String> names = new LinkedHashSet<>(Set.of("org"));
        for (String parameter : query.split("&", MOST_NAMES)) {
            names.add(decoded(parameter.replaceFirst("^=+", "").split("=", 2)[0]));
            String name = parameter.split("=", 2)[0];
            names.add(name);
            names.add(decoded(name));
        }
        names.remove("");
        return names;
    }

    private static @Nullable String slowly(String query, String name, int reading) {
        for (String parameter : query.split("&", -1)) {
            String[] pair = (reading == 3 ? parameter.replaceFirst("^=+", "") : parameter).split("=", 2);
            boolean isNamed = name.equals(reading == 2 ? pair[0] : decoded(pair[0]));
            boolean isDropped = reading == 1 && MALFORMED.matcher(parameter).find();
            if (isNamed && !isDropped) {
                return pair.length == 1 ? "" : decoded(pair[1]);
            }
        }
        return null;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(MALFORMED.matcher(text).replaceAll("%25"), UTF_8);
    }
}
