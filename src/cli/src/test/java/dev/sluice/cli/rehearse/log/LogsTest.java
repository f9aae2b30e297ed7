package dev.sluice.cli.rehearse.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.rehearse.format.Formats;
import dev.sluice.cli.rehearse.format.LoggedCall;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogsTest {

    private static final long START = 1_772_409_600_000L;
    private static final Formats FORMATS = new Formats(Map.of());
    private static final String FORMAT = "$remote_addr $msec \"$request\"";

    @TempDir
    private Path directory;

    private record Read(List<LoggedCall> calls, LogSummary summary) {

        List<String> paths() {
            return calls.stream().map(LoggedCall::path).toList();
        }
    }

    private Read read(String cut, String... files) {
        List<LoggedCall> calls = new ArrayList<>();
        List<String> names = Arrays.stream(files)
                .map(file -> directory.resolve(file).toString())
                .toList();
        try (Logs logs = new Logs(names, FORMATS, FORMAT, cut)) {
            logs.play(calls::add, () -> false);
            return new Read(calls, logs.summary());
        }
    }

    private void write(String file, byte[] bytes) throws IOException {
        Files.write(directory.resolve(file), bytes);
    }

    private void write(String file, String text) throws IOException {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String line(long secondsAfterStart, String path) {
        return "::1 " + (START / 1000 + secondsAfterStart) + " \"GET " + path + " HTTP/1.1\"\n";
    }

    private static byte[] zipped(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    @Test
    void putsLinesInOrderWithinFiveMinutes() throws IOException {
        write("a", line(300, "/d") + line(299, "/c") + line(1, "/b") + line(0, "/a") + line(301, "/e"));
        assertThat(read(null, "a").paths()).containsExactly("/a", "/b", "/c", "/d", "/e");
    }

    @Test
    void ordersAnyShuffledLogLikeASort() throws IOException {
        Random random = new Random(7);
        List<long[]> made = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            long shown = i / 10 + 400L - random.nextInt(299); // the log goes on; calls began up to five minutes earlier
            made.add(new long[] {shown, i});
            text.append(line(shown, "/" + i));
        }
        write("a", text.toString());
        Read read = read(null, "a");
        assertThat(read.summary().late()).isZero();
        made.sort((a, b) -> Long.compare(a[0], b[0]));
        assertThat(read.paths())
                .isEqualTo(made.stream().map(one -> "/" + one[1]).toList());
    }

    @Test
    void leavesOutAndCountsWhatComesLater() throws IOException {
        write(
                "a",
                line(1000, "/a")
                        + line(699, "/late")
                        + line(700, "/b")
                        + line(1001, "/c").repeat(97));
        Read read = read(null, "a");
        assertThat(read.paths()).hasSize(99).startsWith("/b", "/a").doesNotContain("/late");
        assertThat(read.summary().late()).isEqualTo(1);
    }

    /** A log with the newest line first, or a shuffled one: a report would cover only a part of it. */
    @Test
    void refusesALogThatIsNotInTheOrderOfTime() throws IOException {
        StringBuilder backwards = new StringBuilder();
        StringBuilder shuffled = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            backwards.append(line((100 - i) * 60L, "/a"));
            shuffled.append(line(i * 37 % 100 * 60L, "/a"));
        }
        for (CharSequence text : List.of(backwards, shuffled, line(1000, "/a") + line(0, "/late"))) {
            write("a", text.toString());
            assertThatThrownBy(() -> read(null, "a"))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageMatching(
                            "\\d+ of \\d+ lines are more than five minutes behind the lines before them, or a day"
                                    + " ahead of their neighbours, so they could not be played; sort the log by time \\(if"
                                    + " the newest line comes first, write: tac LOG \\| sluice rehearse FILE -\\), or name"
                                    + " the original logs one by one, because they are merged by time");
        }
    }

    @Test
    void aLineFarInTheFutureIsSkippedAndMakesNoOtherLate() throws IOException {
        write("a", line(9_000_000, "/first") + line(1, "/a") + line(9_000_000, "/x") + line(2, "/b") + line(3, "/c"));
        write("b", line(2, "/d").repeat(200));
        Read read = read(null, "a", "b");
        assertThat(read.paths()).hasSize(203).contains("/a", "/b", "/c", "/d");
        assertThat(read.summary().ahead()).isEqualTo(2);
        assertThat(read.summary().late()).isZero();
    }

    @Test
    void aPauseOfDaysSkipsNothing() throws IOException {
        write("a", line(1, "/a") + line(900_000, "/b") + line(900_001, "/c") + line(1_800_000, "/d"));
        Read read = read(null, "a");
        assertThat(read.paths()).containsExactly("/a", "/b", "/c", "/d");
        assertThat(read.summary().ahead()).isZero();
    }

    @Test
    void aCallThatTookLongerThanThatBeginsLate() throws IOException {
        byte[] lines = ("::1 " + (START / 1000 + 1000) + " 900 \"GET /long HTTP/1.1\"\n::1 " + (START / 1000 + 1001)
                        + " 0 \"GET /short HTTP/1.1\"\n")
                .getBytes(StandardCharsets.UTF_8);
        write("a", lines);
        List<LoggedCall> calls = new ArrayList<>();
        try (Logs logs = new Logs(
                List.of(directory.resolve("a").toString()),
                FORMATS,
                "$remote_addr $msec $request_time \"$request\"",
                null)) {
            logs.play(calls::add, () -> false);
            assertThat(logs.summary().late()).isZero();
        }
        assertThat(calls).extracting(LoggedCall::path).containsExactly("/long", "/short");
    }

    @Test
    void mergesLogsInAnyOrder() throws IOException {
        write("today", line(90_000, "/c") + line(90_010, "/d"));
        write("yesterday", line(0, "/a") + line(10, "/b"));
        write("other", line(5, "/ab") + line(90_005, "/cd"));
        assertThat(read(null, "today", "yesterday", "other").paths())
                .containsExactly("/a", "/ab", "/b", "/c", "/cd", "/d");
    }

    @Test
    void readsGzipOfSeveralMembers() throws IOException {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.write(zipped(line(0, "/a")));
        both.write(zipped(line(1, "/b")));
        write("a.gz", both.toByteArray());
        assertThat(read(null, "a.gz").paths()).containsExactly("/a", "/b");
    }

    @Test
    void playsWhatStandsBeforeTheEndOfATruncatedFile() throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(1);
        for (int i = 0; i < 50_000; i++) {
            text.append(line(i, "/" + random.nextInt()));
        }
        byte[] whole = zipped(text.toString());
        write("a.gz", Arrays.copyOf(whole, whole.length / 2));
        Read read = read(null, "a.gz");
        assertThat(read.calls()).hasSizeBetween(15_000, 35_000);
        assertThat(read.summary().broken())
                .singleElement()
                .asString()
                .contains("ends in the middle, after line " + read.summary().read(), "it is truncated");
    }

    @Test
    void saysHowToReadZstd() throws IOException {
        write("a.zst", new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 1, 2, 3});
        String file = directory.resolve("a.zst").toString();
        assertThatThrownBy(() -> read(null, "a.zst"))
                .isInstanceOf(CommandFailure.class)
                .hasMessage(file + " is compressed with zstd; decompress it, for example: zstdcat " + file
                        + " | sluice rehearse FILE -");
    }

    @Test
    void namesTheFirstUnreadableLinesAndGoesOn() throws IOException {
        StringBuilder text = new StringBuilder(line(0, "/a"));
        for (int i = 0; i < 9; i++) {
            text.append("rubbish \u001b[31m").append(i).append('\n');
        }
        text.append(line(1, "/b"));
        write("a", text.toString());
        Read read = read(null, "a");
        assertThat(read.paths()).containsExactly("/a", "/b");
        assertThat(read.summary().unreadable()).isEqualTo(9);
        assertThat(read.summary().firstUnreadable()).hasSize(5);
        assertThat(read.summary().firstUnreadable().get(0)).endsWith("a:2: rubbish \\u001b[31m0");
    }

    @Test
    void aLineWithoutEndCostsNoMoreThanItsBeginning() throws IOException {
        byte[] huge = new byte[3_000_000];
        Arrays.fill(huge, (byte) 'x');
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        text.write(line(0, "/a").getBytes(StandardCharsets.UTF_8));
        text.write(huge);
        text.write(
                ("\n" + line(1, "/b") + "\r\n" + line(2, "/c").replace("\n", "\r\n")).getBytes(StandardCharsets.UTF_8));
        text.write(huge);
        write("a", text.toByteArray());
        Read read = read(null, "a");
        assertThat(read.paths()).containsExactly("/a", "/b", "/c");
        assertThat(read.summary().unreadable()).isEqualTo(2);
        assertThat(read.summary().firstUnreadable().get(0)).contains(":2: longer than 65536 characters: xxx");
    }

    @Test
    void cutsTheContextPathAtItsBorder() throws IOException {
        write("a", line(0, "/shop/p/1?x=1") + line(1, "/shop") + line(2, "/shopping") + line(3, "/other"));
        Read read = read("/shop", "a");
        assertThat(read.paths()).containsExactly("/p/1", "/");
        assertThat(read.summary().outside()).isEqualTo(2);
    }

    @Test
    void aLogWithNoReadableLineIsGivenUpEarly() throws IOException {
        write("a", "no log at all\n".repeat(200_000));
        assertThatThrownBy(() -> read(null, "a"))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("none of the first 10000 lines");
    }

    @Test
    void saysWhatCannotBeOpened() {
        assertThatThrownBy(() -> read(null, "nothing.log")).hasMessageContaining("there is no file");
        assertThatThrownBy(() -> read(null, ".")).hasMessageContaining("is a directory");
    }
}
