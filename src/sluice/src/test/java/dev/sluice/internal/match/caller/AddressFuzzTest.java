package dev.sluice.internal.match.caller;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.sluice.Fuzz;
import dev.sluice.MutatedInputs;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No text stops the readers of addresses, and none on the left of a header changes what a proxy has said on the right.
 */
class AddressFuzzTest implements MutatedInputs {

    private static final String PROXY = "10.0.0.1";
    private static final String CALLER = "203.0.113.9";

    private final CallerAddress address = new CallerAddress(List.of(AddressRange.parse("10.0.0.0/8")), 64, () -> {});

    static Stream<String> addresses() {
        return Fuzz.corpus("addresses.txt");
    }

    static Stream<String> headers() {
        return Fuzz.corpus("forwarded.txt");
    }

    @MethodSource("addresses")
    @FuzzTest(maxDuration = "5m")
    void anAddressIsOneOrNone(@NotNull String input) {
        Fuzz.read(input, text -> {
            IpAddress read = AddressParser.parse(text);
            if (read != null) {
                assertThat(AddressParser.parse(read.toString())).isEqualTo(read);
                assertThat(read.inet()).isNotNull();
            }
        });
    }

    @MethodSource("addresses")
    @FuzzTest(maxDuration = "5m")
    void aRangeIsOneOrNone(@NotNull String input) {
        Fuzz.read(input, text -> {
            try {
                AddressRange range = AddressRange.parse(text);
                assertThat(range.contains(
                                range.network().high(), range.network().low()))
                        .isTrue();
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        });
    }

    @MethodSource("headers")
    @FuzzTest(maxDuration = "5m")
    void aHeaderNamesAnAddress(@NotNull String input) {
        Fuzz.read(input, text -> {
            for (String header : List.of("X-Forwarded-For", "Forwarded")) {
                String found = address.keyOf(Request.from(PROXY).with(header, text));
                assertThat(AddressParser.parse(
                                found.replaceFirst("^behind (?=10[.])", "").replaceFirst("/64$", "")))
                        .as(found)
                        .isNotNull();
                assertThat(address.keyOf(Request.from(CALLER).with(header, text)))
                        .isEqualTo(CALLER);
            }
        });
    }

    @MethodSource("headers")
    @FuzzTest(maxDuration = "5m")
    void whatACallerSendsChangesNothingOfWhatAProxyAdds(@NotNull String input) {
        Fuzz.read(input, text -> {
            assertThat(address.keyOf(Request.from(PROXY).with("X-Forwarded-For", text + ", " + CALLER)))
                    .isEqualTo(CALLER);
            assertThat(address.keyOf(Request.from(PROXY).with("X-Forwarded-For", text, CALLER)))
                    .isEqualTo(CALLER);
            assertThat(address.keyOf(Request.from(PROXY).with("Forwarded", text + ", for=" + CALLER)))
                    .isEqualTo(CALLER);
            assertThat(address.keyOf(Request.from(PROXY).with("Forwarded", text, "for=" + CALLER)))
                    .isEqualTo(CALLER);
        });
    }
}
