package dev.sluice.internal.config.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.RecordingListener;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.open.RecordingLogger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table of clients in a file, and what becomes of it when the file changes. */
class FileClientsTest {

    private static final Set<String> PLANS = Set.of("free", "pro");

    @TempDir
    Path folder;

    private final RecordingLogger log = new RecordingLogger();
    private final RecordingListener listener = new RecordingListener();
    private Path file;

    @BeforeEach
    void choose() {
        file = folder.resolve("clients.csv");
    }

    private FileClients open(String content) throws Exception {
        Files.writeString(file, content);
        return FileClients.open("file:" + file, UnaryOperator.identity(), PLANS);
    }

    private static String plan(FileClients clients, String value) {
        return clients.planOf("header:X-Api-Key", value, value);
    }

    @Test
    void hasColumnsInAnyOrder() throws Exception {
        FileClients clients = open("plan,client\npro,a\n,b\n");
        assertThat(plan(clients, "a")).isEqualTo("pro");
        assertThat(plan(clients, "b")).isEmpty();
        assertThat(plan(clients, "c")).isEmpty();
        assertThat(clients.nameOf("", "a")).isEmpty();
    }

    /** So whoever copies it gets what the page says. */
    @Test
    @Tag("docs")
    void isWrittenAsTheReferenceShows() throws Exception {
        Matcher table = Pattern.compile("(?s)```text\n(client,.*?)```")
                .matcher(Files.readString(Path.of("docs", "rate-limits-yml.md")));
        assertThat(table.find()).isTrue();
        assertThat(plan(open(table.group(1)), "#5sbPuKGYylgwOKy0XX3NOg")).isEqualTo("pro");
    }

    @Test
    void keepsManyClientsApart() throws Exception {
        StringBuilder content = new StringBuilder("client,name,plan\n");
        for (int i = 0; i < 50_000; i++) {
            content.append("k-").append(i).append(",Client ").append(i).append(i % 2 == 0 ? ",pro\n" : ",free\n");
        }
        FileClients clients = open(content.toString());
        assertThat(clients.size()).isEqualTo(50_000);
        for (int i = 0; i < 50_000; i++) {
            assertThat(plan(clients, "k-" + i)).isEqualTo(i % 2 == 0 ? "pro" : "free");
            assertThat(clients.nameOf("", "k-" + i)).isEqualTo("Client " + i);
        }
        assertThat(plan(clients, "k-50000")).isEmpty();
    }

    @Test
    void namesEachClientByItself() throws Exception {
        FileClients clients = open("client,plan\nacme,pro\npartner-*,pro\n");
        assertThat(plan(clients, "partner-7")).isEmpty();
        assertThat(clients.doubts())
                .containsEntry(
                        ProblemCode.IDLE_CLIENT,
                        "has clients with a star: line 3: in a table, a star is an ordinary character; write a client "
                                + "with a wildcard in clients.list");
    }

    @Test
    void mayHoldOnlyClientsThatACallerCanBe() throws Exception {
        Files.writeString(file, "client,plan\n192.0.2.7,pro\n10.0.0.0/8,pro\n");
        assertThatThrownBy(() -> FileClients.open("file:" + file, value -> value.contains("/") ? null : value, PLANS))
                .hasMessage("line 3: client is not an address; write one such as 192.0.2.7 or 2001:db8::/64");
    }

    @Test
    void mayHaveNoClients() throws Exception {
        assertThat(plan(open("client,plan\n"), "a")).isEmpty();
    }

    @Test
    void isReadAgainWhenItChanges() throws Exception {
        FileClients clients = open("client,plan\na,free\n");
        follow(clients);
        assertThat(log.entries()).isEmpty();
        Files.writeString(file, "client,plan\na,pro\nb,pro\n");
        follow(clients);
        assertThat(plan(clients, "a")).isEqualTo("pro");
        assertThat(log.entries()).singleElement().asString().endsWith(file + " has changed and is in force: 2 clients");
    }

    /** A customer may have chosen it. */
    @Test
    void aNameThatCannotBeShownStopsNobodyElse() throws Exception {
        FileClients clients = open("client,name,plan\na,Acme,free\n");
        assertThat(clients.doubts()).isEmpty();
        Files.writeString(file, "client,name,plan\na,Acme,pro\nb,Yahoo!,pro\n");
        follow(clients);
        assertThat(plan(clients, "a")).isEqualTo("pro");
        assertThat(plan(clients, "b")).isEqualTo("pro");
        assertThat(clients.nameOf("", "b")).isEmpty();
        assertThat(log.entries())
                .singleElement()
                .asString()
                .startsWith("INFO " + file + " has changed and is in force: 2 clients\nwarning: " + file
                        + ": has client names that cannot be used: line 3: \"Yahoo!\" is not a valid client name; ")
                .endsWith(" [SL-167]");
    }

    @Test
    void mayHave100000Clients() throws Exception {
        StringBuilder content = new StringBuilder("client,plan\n");
        for (int i = 0; i < 100_000; i++) {
            content.append("k-").append(i).append(",pro\n");
        }
        assertThat(open(content.toString()).size()).isEqualTo(100_000);
        assertThatThrownBy(() -> open(content + "\nsecret-key,pro\n" + "one-more,pro\n"))
                .hasMessage("line 100003: a table can contain at most 100000 clients; use a "
                        + "ClientSource instead, because Sluice queries it for one client at a time");
    }

    @Test
    void mayNotListAClientTwice() {
        assertThatThrownBy(() -> open("client,plan\na,pro\nb,pro\na,free\n"))
                .hasMessage("line 4: this client is already in line 2");
    }

    /** A table may have been made of the wrong column. A message for each line would fill the memory. */
    @Test
    void remembersFewOfManyHashesThatWereCut() throws Exception {
        StringBuilder content = new StringBuilder("client,plan\n");
        for (int i = 0; i < 100_000; i++) {
            content.append("#cut-").append(100_000_000 + i).append(",pro\n");
        }
        Files.writeString(file, content);
        FileClients clients = FileClients.open("file:" + file, value -> "hashed " + value, PLANS);
        assertThat(clients.doubts().get(ProblemCode.CUT_HASH))
                .startsWith("has clients that look like truncated hashes: line 2: it looks like a hash from sluice "
                        + "hash, but 13 characters follow the # instead of 22; line 3: ")
                .contains("; line 6: ", "; and 99995 more; so it is treated")
                .doesNotContain("line 7", "#cut");
        assertThat(open(content.toString()).doubts()).isEmpty(); // nothing is secret
    }

    @Test
    void isNotTakenWhileItIsBeingWritten() throws Exception {
        FileClients clients = open("client,plan\na,free\n");
        Files.writeString(file, "client,plan\na,pro\n");
        clients.follow(
                log,
                () -> {
                    write("client,plan\na,pro\nb,pro\n");
                    return true;
                },
                listener);
        assertThat(plan(clients, "a")).isEqualTo("free");
        follow(clients);
        assertThat(plan(clients, "b")).isEqualTo("pro");
    }

    private void write(String content) {
        try {
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void withAMistakeChangesNothing() throws Exception {
        FileClients clients = open("client,plan\na,free\n");
        Files.writeString(file, "client,plan\nsecret-key,prp\n");
        follow(clients);
        follow(clients);
        assertThat(log.entries())
                .singleElement()
                .asString()
                .endsWith(file
                        + " was not loaded. The 1 previously loaded clients remain in force. The file is read "
                        + "again when it changes. Cause: line 2: \"prp\" is not a plan; did you mean pro?")
                .doesNotContain("secret-key");
        assertThat(plan(clients, "a")).isEqualTo("free");
        Files.writeString(file, "client,plan\na,pro\n");
        follow(clients);
        assertThat(plan(clients, "a")).isEqualTo("pro");
        assertThat(log.entries().get(1).toString()).endsWith("can be used again and is in force: 1 clients");
        assertThat(listener.take()).containsExactly("refused 1", "table 1");
    }

    @Test
    void logsAMissingFileOnce() throws Exception {
        FileClients clients = open("client,plan\na,free\n");
        Files.delete(file);
        follow(clients);
        follow(clients);
        assertThat(log.entries()).singleElement().asString().endsWith("Cause: there is no such file");
        Files.writeString(file, "client,plan\na,free\n");
        follow(clients);
        assertThat(plan(clients, "a")).isEqualTo("free");
        assertThat(log.entries()).hasSize(2);
    }

    private void follow(FileClients clients) {
        clients.follow(log, () -> true, listener);
    }

    @Test
    void namesTheColumnsIfAFileUsesSemicolons() {
        assertThatThrownBy(() -> open("client;name;plan\na;b;pro\n"))
                .hasMessage("line 1: the first line must name the columns, for example client,name,plan");
        assertThatThrownBy(() -> open("client,plam\n"))
                .hasMessage("line 1: did you mean the column plan? the first line must name the columns, for example "
                        + "client,name,plan");
        assertThatThrownBy(() -> open("")).hasMessageContaining("line 1: the first line must name the columns");
    }

    /** A plan that all clients have may be renamed. A message for each of them would fill the memory. */
    @Test
    void remembersFewOfManyMistakes() throws Exception {
        Set<String> plans = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            plans.add("plan-" + "x".repeat(50) + i);
        }
        StringBuilder content = new StringBuilder("client,plan\n");
        for (int i = 0; i < 200_000; i++) {
            content.append("k-").append(i).append(",gold\n");
        }
        Files.writeString(file, content);
        assertThatThrownBy(() -> FileClients.open("file:" + file, UnaryOperator.identity(), plans))
                .hasMessageStartingWith("line 2: \"gold\" is not a plan; the plans are plan-x")
                .hasMessageContaining("; line 6: ")
                .hasMessageNotContaining("line 7")
                .hasMessageEndingWith("; and 199995 more");
    }
}
