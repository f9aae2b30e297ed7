package dev.sluice.internal.instance.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Endpoint;
import dev.sluice.RecordingListener;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.config.file.LoadContext;
import dev.sluice.internal.config.source.SourceContent;
import dev.sluice.internal.config.yaml.Variables;
import dev.sluice.internal.match.caller.CallerWarnings;
import dev.sluice.limits.ConfigSource;
import dev.sluice.open.GivenFile;
import dev.sluice.open.RecordingLogger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigWatcherTest {

    private static final String OTHER = GivenFile.SMALLEST.replace("get-product", "other");
    private static final String BAD = "- id: [";

    private final RecordingLogger log = new RecordingLogger();
    private final GivenFile file = new GivenFile(GivenFile.SMALLEST);
    private final List<String> inForce = new ArrayList<>();
    private final RecordingListener listener = new RecordingListener();
    private final ConfigWatcher watch = watch();
    private boolean isBroken;

    private ConfigWatcher watch() {
        LoadContext context =
                new LoadContext("a-server", Map.of(), Map.of(), Variables.of(name -> null), CallerWarnings.NONE);
        SourceContent content = SourceContent.of(file);
        return new ConfigWatcher(
                log, file, context, content, LimitsReader.parse(content, context), this::note, listener);
    }

    private void note(LimitsFile now) {
        if (isBroken) {
            throw new IllegalStateException("broken by a test");
        }
        now.limits().endpoints().stream().map(Endpoint::id).forEach(inForce::add);
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            watch.poll();
        }
    }

    @Test
    void doesNothingWhileTheContentStays() {
        look(3);
        assertThat(inForce).isEmpty();
        assertThat(log.entries()).isEmpty();
    }

    @Test
    void putsAChangedFileInForceOnce() {
        file.becomes(OTHER);
        look(3);
        assertThat(inForce).containsExactly("other");
        assertThat(log.entries()).containsExactly("INFO limits.yml has changed and is in force: 1 endpoint");
    }

    @Test
    void refusesABadFileAndSaysSoOnce() {
        file.becomes("- id: a b\n");
        look(3);
        assertThat(inForce).isEmpty();
        assertThat(log.entries()).hasSize(1);
        assertThat(log.entries().get(0).lines())
                .startsWith(
                        "WARN limits.yml has mistakes and was not loaded. The current limits stay in force. The file "
                                + "is read again when it changes.",
                        "limits.yml:1:3 endpoints[0]: the key pathPattern is missing; write, for example, "
                                + "pathPattern: /product/*, or on: report for method calls [SL-109]")
                .hasSize(4);
        assertThat(listener.take()).containsExactly("refused 3");
    }

    @Test
    void saysWhenAnotherMistakeIsMadeAndWhenAllIsWell() {
        file.becomes(BAD);
        look(2);
        file.becomes("");
        look(2);
        file.becomes(GivenFile.SMALLEST);
        look(2);
        assertThat(log.entries())
                .hasSize(3)
                .last()
                .isEqualTo("INFO limits.yml has been corrected and is in force: 1 endpoint");
        assertThat(inForce).containsExactly("get-product");
    }

    @Test
    void bearsWithAFileThatIsGoneForAWhile() {
        file.fails(new NoSuchFileException("limits.yml"));
        look(3);
        file.becomes(GivenFile.SMALLEST);
        look(3);
        assertThat(log.entries())
                .containsExactly(
                        "WARN limits.yml has mistakes and was not loaded. The current limits stay in force. The file "
                                + "is read again when it changes.\n" + "limits.yml: there is no such file [SL-101]",
                        "INFO limits.yml has been corrected and is in force: 1 endpoint");
    }

    @Test
    void triesAgainWhatCouldNotBePutInForceAndSaysSoOnce() {
        file.becomes(OTHER);
        isBroken = true;
        look(3);
        assertThat(inForce).isEmpty();
        isBroken = false;
        look(3);
        assertThat(inForce).containsExactly("other");
        assertThat(log.entries())
                .containsExactly(
                        "WARN Could not check whether the file has changed. The current limits stay in force, and "
                                + "Sluice checks again",
                        "INFO limits.yml has changed and is in force: 1 endpoint");
        assertThat(log.thrown()).singleElement().hasToString("java.lang.IllegalStateException: broken by a test");
        isBroken = true;
        file.becomes(GivenFile.SMALLEST);
        look(2);
        assertThat(log.entries()).hasSize(3).last().asString().startsWith("WARN Could not check");
    }

    @Test
    void waitsUntilAFileIsWrittenToItsEnd() {
        List<String> contents = new ArrayList<>(List.of(GivenFile.SMALLEST, OTHER, OTHER + "- id: half", OTHER, OTHER));
        ConfigSource source = new ConfigSource() {
            @Override
            public String name() {
                return "limits.yml";
            }

            @Override
            public byte[] read() {
                return (contents.size() > 1 ? contents.remove(0) : contents.get(0)).getBytes(StandardCharsets.UTF_8);
            }
        };
        LoadContext context =
                new LoadContext("a-server", Map.of(), Map.of(), Variables.of(name -> null), CallerWarnings.NONE);
        SourceContent content = SourceContent.of(source);
        ConfigWatcher growingWatch = new ConfigWatcher(
                log, source, context, content, LimitsReader.parse(content, context), this::note, listener);
        growingWatch.poll();
        assertThat(inForce).isEmpty();
        growingWatch.poll();
        assertThat(inForce).containsExactly("other");
    }

    @Test
    void logsTheWarningsOfAReloadAsTheFirstLoadDoes() {
        file.becomes(GivenFile.SMALLEST + OTHER);
        look(1);
        assertThat(log.entries())
                .containsExactly("INFO limits.yml has changed and is in force: 2 endpoints\n"
                        + "warning: limits.yml:4:3 endpoints[1]: this endpoint is identical to get-product in line 1 "
                        + "except for its id; keep one of the two [SL-151]");
    }

    /** Two mounted volumes change one after the other: nobody touches the file again once the table is there. */
    @Test
    void loadsAFileOnceItsTableOfClientsIsFixed(@TempDir Path directory) throws IOException {
        Path table = directory.resolve("clients.csv");
        Files.writeString(table, "client,plan\nacme,gold\n");
        file.becomes("plans: { pro: {} }\nclients: { from: \"file:" + table + "\" }\nendpoints:\n" + OTHER);
        look(3);
        assertThat(inForce).isEmpty();
        assertThat(log.entries()).singleElement().asString().contains("line 2: \"gold\" is not a plan");
        assertThat(listener.take()).containsExactly("refused 1");

        Files.writeString(table, "client,plan\nacme,pro\n");
        look(3);

        assertThat(inForce).containsExactly("other");
        assertThat(log.entries())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("INFO limits.yml has been corrected and is in force: 1 endpoint");
        look(1);
        assertThat(inForce).containsExactly("other");
    }
}
