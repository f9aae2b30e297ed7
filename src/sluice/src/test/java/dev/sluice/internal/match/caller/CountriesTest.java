package dev.sluice.internal.match.caller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountriesTest {

    @ParameterizedTest
    @CsvSource({
        "de, DE", "AZ, AZ", "az, AZ", "T1, T1", "09, 09", "XX,", "xx,", "D,", "DEU,", "'',", "' D',", "D/,", "D:,",
        "D@,", "D[,", "D`,", "D{,", "@D,", "dé,"
    })
    void isTwoLettersOrDigitsInCapitals(String header, @Nullable String country) {
        assertThat(Countries.ofHeader("X-Country")
                        .resolve(Request.from("192.0.2.1").with("X-Country", header)))
                .isEqualTo(country);
    }

    @Test
    void isThatOfTheCallersAddress() {
        CallerAddress address = new CallerAddress(List.of(), 64, () -> {});
        assertThat(Countries.ofAddress(address, inet -> inet.getHostAddress().equals("192.0.2.1") ? "fr" : "DE")
                        .resolve(Request.from("192.0.2.1")))
                .isEqualTo("FR");
        assertThat(Countries.ofAddress(address, inet -> "DE").resolve(Request.from("unix:")))
                .isNull();
        assertThat(Countries.ofAddress(address, inet -> null).resolve(Request.from("192.0.2.1")))
                .isNull();
        assertThat(Countries.ofHeader("X-Country").resolve(Request.from("192.0.2.1")))
                .isNull();
    }
}
