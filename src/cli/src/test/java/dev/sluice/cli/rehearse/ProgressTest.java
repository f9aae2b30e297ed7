package dev.sluice.cli.rehearse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressTest {

    @Test
    void showsRateAndTimeLeft() {
        assertThat(Progress.line(1_200_000, 50, 200, 2))
                .isEqualTo("[######                  ] 25%  1200000 lines  600000/s  6s left");
    }

    @Test
    void aStreamShowsTheRateOnly() {
        assertThat(Progress.line(1_200_000, 50, -1, 2)).isEqualTo("1200000 lines  600000/s");
    }
}
