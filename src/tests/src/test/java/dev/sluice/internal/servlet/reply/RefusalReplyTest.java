package dev.sluice.internal.servlet.reply;

import static dev.sluice.internal.servlet.contract.Decisions.PRODUCT;
import static dev.sluice.internal.servlet.contract.Decisions.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.Decision;
import dev.sluice.open.GivenFile;
import dev.sluice.servlet.FakeExchange;
import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.InputSource;

@Tag("server")
class RefusalReplyTest {

    private static final String HOSTILE = "/a\"}, \\ {retryAfter} </script><!-- ' ` & \u2028\r\nSet-Cookie: x=\u0000";

    private static FakeExchange reply(String method, String path, Decision decision, String contentType, String body)
            throws Exception {
        FakeExchange exchange = FakeExchange.of(method, path);
        exchange.status = 429;
        if (!decision.neverPasses()) {
            exchange.headers.put("Retry-After", "7");
        }
        String reject = "reject: { contentType: '" + contentType + "', body: '" + body + "' }";
        return replied(exchange, decision, reject);
    }

    private static FakeExchange replied(FakeExchange exchange, Decision decision, String keys) throws Exception {
        RefusalReply.write(
                exchange.request,
                exchange.response,
                decision,
                GivenFile.with(keys).load().limits().responses());
        return exchange;
    }

    private static FakeExchange toBrowser(String method, String keys) throws Exception {
        FakeExchange exchange = FakeExchange.of(method, "/product/1");
        exchange.status = 429;
        exchange.headers.put("Retry-After", "7");
        exchange.sent.put("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
        return replied(exchange, refused(PRODUCT, 6_500), keys);
    }

    @Test
    void isAPlainPageForABrowser() throws Exception {
        FakeExchange exchange = toBrowser("GET", "");
        assertThat(exchange.body())
                .startsWith("<!DOCTYPE html>\n<html lang=\"en\">\n")
                .contains("<h1>Too many requests</h1>\n<p>Rate limit exceeded; try again in 7 seconds.</p>\n"
                        + "<p><small>Status 429</small></p>")
                .endsWith("</html>\n")
                .doesNotContain("<script", "http:", "https:", "src=", "/product/1");
        assertThat(exchange.headers).containsEntry("Vary", "Accept");
        verify(exchange.response).setContentType("text/html;charset=utf-8");
        FakeExchange head = toBrowser("HEAD", "");
        assertThat(head.body()).isEmpty();
        verify(head.response).setContentType("text/html;charset=utf-8");
        verify(head.response).setContentLength(exchange.body().length());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            reject: { html: "<p>{status} {path}: {detail}" } | text/html;charset=utf-8   | <p>429 /product/1: Rate
            reject: { html: none }                           | application/problem+json  | {"type":
            reject: { contentType: text/html, body: "<b>" }  | text/html;charset=utf-8   | <b>
            reject: { contentType: text/plain, body: "no" }  | text/html;charset=utf-8   | <!DOCTYPE html>
            reject: { contentType: text/plain, body: "no", html: none } | text/plain;charset=utf-8 | no""")
    void isThePageOfTheFileForABrowser(String keys, String contentType, String begin) throws Exception {
        FakeExchange exchange = toBrowser("GET", keys);
        assertThat(exchange.body()).startsWith(begin);
        verify(exchange.response).setContentType(contentType);
        boolean isOneForAll = keys.contains("none") || keys.endsWith("\"<b>\" }");
        assertThat(exchange.headers.containsKey("Vary")).isEqualTo(!isOneForAll);
    }

    @Test
    void isTheBodyForOtherCallers() throws Exception {
        FakeExchange client = FakeExchange.get("/");
        client.sent.put("Accept", "*/*");
        replied(client, refused(PRODUCT, 6_500), "reject: { html: '<p>' }");
        assertThat(client.body()).startsWith("{\"type\":");
        assertThat(client.headers).containsEntry("Vary", "Accept");
    }

    @Test
    void aPathCannotBreakOutOfThePage() throws Exception {
        FakeExchange exchange = FakeExchange.get("/<script>");
        exchange.sent.put("Accept", "text/html");
        replied(exchange, refused(PRODUCT, 6_500), "reject: { html: '<p>{path}' }");
        assertThat(exchange.body()).isEqualTo("<p>/&#60;script&#62;");
    }

    private static String body(String path, String contentType, String body) throws Exception {
        return reply("GET", path, refused(PRODUCT, 6_500), contentType, body).body();
    }

    private static JsonNode json(String path, String body) throws Exception {
        return new ObjectMapper().readTree(body(path, "application/json", body));
    }

    @Test
    void fillsInValues() throws Exception {
        assertThat(body("/product/1", "text/plain", "{status} {endpoint} {limit} {retryAfter} {path}: {detail}"))
                .isEqualTo("429 get-product 1000 7 /product/1: Rate limit exceeded; try " + "again in 7 seconds.");
    }

    @Test
    void leavesOtherBracesAlone() throws Exception {
        assertThat(body("/", "text/html", "<style>p{color:red}</style>{}{ limit }{1}"))
                .isEqualTo("<style>p{color:red}</style>{}{ limit }{1}");
    }

    @Test
    void writesWholeValuesOfJsonWithTheirQuotes() throws Exception {
        assertThat(body("/x", "application/json", "{\"a\":{path},\"b\":[{limit},\"{limit}: {path}\"],\"c\":{detail}}"))
                .startsWith("{\"a\":\"/x\",\"b\":[1000,\"1000: /x\"],\"c\":\"Rate limit");
    }

    @Test
    void hasNoTimeIfNoRetryPasses() throws Exception {
        Decision tooCostly = refused(PRODUCT, 0).withCost(5_000);
        assertThat(reply("GET", "/", tooCostly, "application/json", "[{retryAfter},\"{retryAfter}\"]")
                        .body())
                .isEqualTo("[null,\"\"]");
    }

    @Test
    void hasNoLimitIfNoneRefuses() throws Exception {
        Decision nobodys = Decision.UNLIMITED.withOutcome(Decision.Outcome.REFUSED_BUSY);
        assertThat(reply("GET", "/", nobodys, "application/json", "[{limit},{endpoint},\"{endpoint}\"]")
                        .body())
                .isEqualTo("[null,null,\"\"]");
    }

    @Test
    void aPathCannotBreakOutOfJson() throws Exception {
        JsonNode read = json(HOSTILE, "{\"in\":\"a {path}\",\"bare\":{path},\"admin\":false}");
        assertThat(read.get("in").textValue()).isEqualTo("a " + HOSTILE);
        assertThat(read.get("bare").textValue()).isEqualTo(HOSTILE);
        assertThat(read.size()).isEqualTo(3);
        assertThat(body(HOSTILE, "application/problem+json", "{path}")).doesNotContain("<", ">", "&", "'", "\r", "\n");
    }

    @Test
    void aPathCannotBreakOutOfMarkup() throws Exception {
        assertThat(body("/<script>alert(\"x\")&'`", "text/html", "<a title=\"{path}\">{path}</a>"))
                .isEqualTo("<a title=\"/&#60;script&#62;alert(&#34;x&#34;)&#38;&#39;&#96;\">"
                        + "/&#60;script&#62;alert(&#34;x&#34;)&#38;&#39;&#96;</a>");
        String xml = body(HOSTILE, "application/xml", "<r p=\"{path}\">{path}</r>");
        assertThat(DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(xml)))
                        .getDocumentElement()
                        .getChildNodes()
                        .getLength())
                .isEqualTo(1);
    }

    @Test
    void aPathCannotBeginALine() throws Exception {
        assertThat(body(HOSTILE, "text/plain", "{path}").lines()).hasSize(1);
    }

    @Test
    void truncatesALongPath() throws Exception {
        assertThat(body("/" + "x".repeat(100_000), "text/plain", "{path}")).hasSize(1_000);
    }

    @Test
    void isInUtf8AndHasNoBodyForHead() throws Exception {
        FakeExchange get = reply("GET", "/", refused(PRODUCT, 1), "text/plain", "zu viele ☃");
        assertThat(get.body()).isEqualTo("zu viele ☃");
        verify(get.response).setContentType("text/plain;charset=utf-8");
        verify(get.response).setContentLength(12);
        FakeExchange head = reply("HEAD", "/", refused(PRODUCT, 1), "application/json; charset=UTF-8", "\"☃\"");
        assertThat(head.body()).isEmpty();
        verify(head.response).setContentType("application/json");
        verify(head.response).setContentLength(5);
    }

    @Property(tries = 500)
    void staysJsonWhateverThePath(@ForAll @StringLength(max = 50) String path) throws Exception {
        JsonNode read = json(path, "{\"in\":\"{path}\",\"bare\":{path}}");
        assertThat(read.get("bare")).isEqualTo(read.get("in"));
        assertThat(read.size()).isEqualTo(2);
    }
}
