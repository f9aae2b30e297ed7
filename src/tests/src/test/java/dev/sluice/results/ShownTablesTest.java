package dev.sluice.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** No figure in a table is typed by hand. The tables of the pages show the file of results. */
class ShownTablesTest {

    private static final LocalDate DAY = LocalDate.of(2026, 1, 31);

    @SuppressWarnings("UnusedVariable") // a source of arguments
    private static final Iterable<Path> PAGES = ShownTables.PAGES;

    @ParameterizedTest
    @FieldSource("PAGES")
    void pagesShowWhatTheResultsSay(Path page) throws IOException {
        String shown = Files.readString(page);
        assertThat(shown)
                .as(
                        "%s shows other figures than %s has. Write its tables with: %s",
                        page, Results.FILE, ShownTables.COMMAND)
                .isEqualTo(ShownTables.filled(shown, Results.read(Results.FILE)));
        assertThat(shown).as("%s has tables of results", page).contains("<!-- results: ");
    }

    @Test
    void aFigureThatWasTypedIsReplaced() {
        Results results = new Results();
        results.put(result("algorithm", "token bucket / fixed window", "ratio", 0.5, "x"));
        String page = "before\n<!-- results: algorithms -->\ntyped\n<!-- /results -->\nafter\n";
        assertThat(ShownTables.filled(page, results)).isEqualTo("""
                before
                <!-- results: algorithms -->
                Measured on 2026-01-31 at `abc`:

                | Algorithm | time relative to a fixed window | Goal |
                |---|---|---|
                | token bucket | 0.50 (0.45 to 0.55) | 1.5, met |
                <!-- /results -->
                after
                """);
    }

    @Test
    void aDecisionIsShownBesideBothLookUpsOrNotAtAll() {
        Results results = new Results();
        results.put(result("admitted of 1 caller", "Sluice / bare Caffeine", "first time", 80, "ns"));
        results.put(result("admitted of 1 caller", "Sluice / bare Caffeine", "ratio", 2, "x"));
        results.put(result("admitted of 1 caller", "Sluice / forgetful Caffeine", "ratio", 1.05, "x"));
        results.put(result("refused of 1 caller", "Sluice / bare Caffeine", "ratio", 2, "x"));
        String page = "<!-- results: look-ups -->\n<!-- /results -->";
        assertThat(ShownTables.filled(page, results)).isEqualTo("""
                <!-- results: look-ups -->
                Measured on 2026-01-31 at `abc`:

                | | Sluice | ratio, bounded | ratio, forgetful | Goal |
                |---|---|---|---|---|
                | admitted, 1 caller | 80 ns | 2.00 | 1.05 | 1.1, met |
                <!-- /results -->""");
    }

    @Test
    void whatWasNotMeasuredIsNotShown() {
        String page = "<!-- results: memory -->\n<!-- /results -->";
        assertThat(ShownTables.filled(page, new Results())).isEqualTo(page);
    }

    @Test
    void aNameOfNoTableIsRefused() {
        assertThatThrownBy(() -> ShownTables.filled("<!-- results: other -->\n<!-- /results -->", new Results()))
                .hasMessage("there is no table \"other\" of results");
        assertThatThrownBy(() -> ShownTables.filled("<!-- results: memory -->\n", new Results()))
                .hasMessage("a table of results has no <!-- /results -->");
    }

    @Test
    void theFileKeepsWhatItIsGiven(@TempDir Path folder) throws IOException {
        Results results = new Results();
        results.put(result("a", "b", "time", 1, "ns"));
        results.put(result("a", "b", "ratio", 0.123456, "x"));
        results.put(result("a", "b", "time", 12_345.6, "ns"));
        Path file = folder.resolve("results.csv");
        results.write(file);
        assertThat(file).content().isEqualTo("""
                subject,contestant,figure,value,unit,rounds,low,high,date,commit
                a,b,time,12346,ns,6,11111,13580,2026-01-31,abc
                a,b,ratio,0.1235,x,6,0.1111,0.1358,2026-01-31,abc
                """);
        assertThat(Results.read(file).all()).asString().isEqualTo(results.all().toString());
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.0876, 0.088", "1.84, 1.8", "9.94, 9.9", "9.96, 10", "437.6, 438", "1706.7, '1,707'"})
    void peopleReadTwoDigitsOrWholeNumbers(double number, String shown) {
        assertThat(Figures.shown(number)).isEqualTo(shown);
    }

    private static Result result(String subject, String contestant, String figure, double value, String unit) {
        return new Result(subject, contestant, figure, value, unit, 6, 0.9 * value, 1.1 * value, DAY, "abc");
    }
}
