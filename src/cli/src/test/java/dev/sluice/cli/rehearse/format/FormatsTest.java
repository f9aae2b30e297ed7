package dev.sluice.cli.rehearse.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormatsTest {

    private static final String COMBINED = "198.51.100.7 - frank [10/Oct/2000:13:55:36 -0700] "
            + "\"GET /product/1?page=2 HTTP/1.1\" 200 2326 \"http://a/\" \"Mozilla/5.0 (X11)\"";

    private final Formats formats = new Formats(Map.of());

    private LoggedCall found(String line) {
        LineFormat format = formats.of(List.of(line));
        assertThat(format).as(line).isNotNull();
        return format.read(line);
    }

    private LoggedCall read(String format, String line) {
        return formats.named(format).read(line);
    }

    private static long millis(String iso) {
        return Instant.parse(iso).toEpochMilli();
    }

    @Test
    void readsTheCombinedLogFormat() {
        LoggedCall call = found(COMBINED);
        assertThat(call.method()).isEqualTo("GET");
        assertThat(call.path()).isEqualTo("/product/1");
        assertThat(call.query("page")).isEqualTo("2");
        assertThat(call.ip()).isEqualTo("198.51.100.7");
        assertThat(call.principal()).isEqualTo("frank");
        assertThat(call.status()).isEqualTo(200);
        assertThat(call.header("user-agent")).isEqualTo("Mozilla/5.0 (X11)");
        assertThat(call.header("Referer")).isEqualTo("http://a/");
        assertThat(call.startMillis()).isEqualTo(millis("2000-10-10T20:55:36Z"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "198.51.100.7 - frank [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.0\" 200 2326 | common log format",
                "198.51.100.7 - - [10/Oct/2000:13:55:36 +0000] \"GET / HTTP/2.0\" 200 - \"-\" \"-\" | combined log"
                        + " format",
                "198.51.100.7 - - [10/Oct/2000:13:55:36 +0000] \"GET / HTTP/2.0\" 200 9 \"-\" \"curl\" rt=0.1 \"-\""
                        + " | combined log format",
                "shop.example:443 ::1 - - [10/Oct/2000:13:55:36 +0000] \"GET / HTTP/1.1\" 200 9 \"-\" \"curl\""
                        + " | combined log format with hosts",
                "{\"ts\":1.6E9,\"request\":{\"remote_ip\":\"::1\",\"method\":\"GET\",\"uri\":\"/\"},\"status\":200}"
                        + " | JSON lines",
            })
    void findsTheFormat(String line, String name) {
        assertThat(formats.of(List.of(line)).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hello", "2000-10-10 started", "{}", "{\"ts\":1600000000}", "[1,2]", "\0\1\2"})
    void findsNoFormatInWhatIsNoLog(String line) {
        assertThat(formats.of(List.of(line))).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /a%20b?x=1&y=2 HTTP/1.1 | GET | /a%20b",
                "POST /x HTTP/2.0 | POST | /x",
                "GET /only | GET | /only",
                "GET http://shop.example:80/p/1?q HTTP/1.1 | GET | /p/1",
                "GET https://shop.example HTTP/1.1 | GET | /",
                "OPTIONS * HTTP/1.1 | OPTIONS | *",
                "GET /with space HTTP/1.1 | GET | /with space",
                "M-SEARCH /x HTTP/1.1 | M-SEARCH | /x",
                "GET /quote\\x22d HTTP/1.1 | GET | /quote\"d",
                "GET /quote\\\"d HTTP/1.1 | GET | /quote\"d",
                "GET /back\\\\slash HTTP/1.1 | GET | /back\\slash",
                "GET /caf\\xC3\\xA9 HTTP/1.1 | GET | /café",
            })
    void takesRequestsApart(String request, String method, String path) {
        LoggedCall call = found("::1 - - [10/Oct/2000:13:55:36 +0000] \"" + request + "\" 200 9 \"-\" \"-\"");
        assertThat(call.method()).isEqualTo(method);
        assertThat(call.path()).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "\\x16\\x03\\x01\\x02\\x00\\x01\\x00\\x01\\xFC\\x03\\x03",
                "CONNECT example.com:443 HTTP/1.1",
                "GET",
                "quit",
                "t3 12.2.1"
            })
    void distinguishesLinesWithoutARequestFromUnreadableOnes(String request) {
        String line = "::1 - - [10/Oct/2000:13:55:36 +0000] \"" + request + "\" 400 0 \"-\" \"-\"";
        assertThat(found(line)).isSameAs(LoggedCall.NO_REQUEST);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10/Oct/2000:13:55:36 -0700 | 2000-10-10T20:55:36Z",
                "29/Feb/2024:23:59:59 +0530 | 2024-02-29T18:29:59Z",
                "2024-03-01T00:00:01+00:00 | 2024-03-01T00:00:01Z",
                "2024-03-01T00:00:01.25Z | 2024-03-01T00:00:01.250Z",
                "2024-03-01T00:00:01.123456789+02:00 | 2024-02-29T22:00:01.123Z",
                "2024-03-01 00:00:01,5 +0100 | 2024-02-29T23:00:01.500Z",
                "2024/03/01 00:00:01 | 2024-03-01T00:00:01Z",
                "1709251201 | 2024-03-01T00:00:01Z",
                "1709251201.123 | 2024-03-01T00:00:01.123Z",
                "1709251201123 | 2024-03-01T00:00:01.123Z",
                "1709251201123456 | 2024-03-01T00:00:01.123Z",
                "1709251201123456789 | 2024-03-01T00:00:01.123Z",
            })
    void readsTimes(String written, String moment) {
        LoggedCall call = read("$remote_addr [$time_local] \"$request\"", "::1 [" + written + "] \"GET / HTTP/1.1\"");
        assertThat(call).isNotNull();
        assertThat(Instant.ofEpochMilli(call.startMillis())).isEqualTo(Instant.parse(moment));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10/Okt/2000:13:55:36 -0700",
                "32/Oct/2000:13:55:36 -0700",
                "10/Oct/2000:25:55:36 -0700",
                "2024-03-01T00:00:01+xx",
                "yesterday",
                "",
                "-"
            })
    void whatIsNoTimeMakesALineUnreadable(String written) {
        assertThat(read("$remote_addr [$time_local] \"$request\"", "::1 [" + written + "] \"GET / HTTP/1.1\""))
                .isNull();
    }

    @Test
    void readsAFormatAsNginxWritesIt() {
        LoggedCall call = read(
                "${remote_addr} - $remote_user [$time_iso8601] \"$request\" $status rt=$request_time "
                        + "up=$upstream_response_time \"$http_x_org_id\" c=$cookie_sid",
                "203.0.113.9 - John Doe [2024-03-01T00:00:01+00:00] \"GET /p?x=1 HTTP/2.0\" 200 rt=0.250 "
                        + "up=0.1, 0.2 : 0.3 \"acme \\x22inc\\x22\" c=s1");
        assertThat(call.principal()).isEqualTo("John Doe");
        assertThat(call.header("X-Org-Id")).isEqualTo("acme \"inc\"");
        assertThat(call.cookie("sid")).isEqualTo("s1");
        assertThat(call.durationMillis()).isEqualTo(250);
        assertThat(call.startMillis()).isEqualTo(millis("2024-03-01T00:00:00.750Z"));
        assertThat(call.loggedMillis()).isEqualTo(millis("2024-03-01T00:00:01Z"));
    }

    @Test
    void readsAFormatAsApacheWritesIt() {
        LoggedCall call = read(
                "%{%Y-%m-%dT%H:%M:%S}t.%{msec_frac}t %a %u \\\"%m %U%q %H\\\" %>s %D \\\"%{X-Org-Id}i\\\" %{sid}C",
                "2024-03-01T00:00:01.250 203.0.113.9 - \"POST /ab;c?x=%20 HTTP/1.1\" 201 1500000 \"acme\" s1");
        assertThat(call.method()).isEqualTo("POST");
        assertThat(call.path()).isEqualTo("/ab%3Bc");
        assertThat(call.query("x")).isEqualTo(" ");
        assertThat(call.header("x-org-id")).isEqualTo("acme");
        assertThat(call.cookie("sid")).isEqualTo("s1");
        assertThat(call.durationMillis()).isEqualTo(1500);
        assertThat(call.loggedMillis() - call.startMillis()).isEqualTo(1500);
        assertThat(call.status()).isEqualTo(201);
    }

    @Test
    void aHyphenIsNoValue() {
        LoggedCall call = read(
                "%h %l %u %t \"%r\" %>s \"%{X-Org-Id}i\"",
                "::1 - - [10/Oct/2000:13:55:36 +0000] " + "\"GET / HTTP/1.1\" - \"-\"");
        assertThat(call.header("X-Org-Id")).isNull();
        assertThat(call.principal()).isNull();
        assertThat(call.status()).isZero();
    }

    @Test
    void readsLogsOfLoadBalancers() {
        LoggedCall call = found(
                "https 2018-07-02T22:23:00.186641Z app/my-lb/50dc6c495c0c9188 [2001:db8::7]:2817 10.0.0.1:80 0.086"
                        + " 0.048 0.037 200 200 0 57 \"GET https://www.example.com:443/a?b=c HTTP/1.1\" \"curl/7.46.0\""
                        + " ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:x"
                        + " \"Root=1-58337281-1d84f3d73c47ec4e58577259\" \"www.example.com\" \"arn:aws:acm:us\" 1"
                        + " 2018-07-02T22:22:48.364000Z \"authenticate,forward\" \"-\" \"-\" \"10.0.0.1:80\" \"200\" \"-\""
                        + " \"-\"");
        assertThat(call.ip()).isEqualTo("2001:db8::7");
        assertThat(call.path()).isEqualTo("/a");
        assertThat(call.startMillis()).isEqualTo(millis("2018-07-02T22:22:48.364Z"));
        assertThat(call.loggedMillis()).isEqualTo(millis("2018-07-02T22:23:00.186Z"));
        assertThat(call.status()).isEqualTo(200);
    }

    @Test
    void readsLogsOfCaddy() {
        LoggedCall call = found("{\"level\":\"info\",\"ts\":1646861401.5241024,\"logger\":\"http.log.access\","
                + "\"msg\":\"handled request\",\"request\":{\"remote_ip\":\"127.0.0.1\",\"remote_port\":\"41342\","
                + "\"client_ip\":\"203.0.113.9\",\"proto\":\"HTTP/2.0\",\"method\":\"GET\",\"host\":\"localhost\","
                + "\"uri\":\"/a?b=1\",\"headers\":{\"User-Agent\":[\"curl/7.82.0\"],\"X-Org-Id\":[\"acme\"]},"
                + "\"tls\":{\"resumed\":false}},\"bytes_read\":0,\"user_id\":\"ann\",\"duration\":0.5,\"size\":1,"
                + "\"status\":404,\"resp_headers\":{\"Server\":[\"Caddy\"]}}");
        assertThat(call.ip()).isEqualTo("203.0.113.9");
        assertThat(call.path()).isEqualTo("/a");
        assertThat(call.header("X-Org-Id")).isEqualTo("acme");
        assertThat(call.principal()).isEqualTo("ann");
        assertThat(call.status()).isEqualTo(404);
        assertThat(call.loggedMillis()).isEqualTo(1_646_861_401_524L);
        assertThat(call.durationMillis()).isEqualTo(500);
    }

    @Test
    void readsLogsOfTraefik() {
        LoggedCall call = found("{\"ClientAddr\":\"203.0.113.9:50422\",\"ClientHost\":\"203.0.113.9\","
                + "\"ClientUsername\":\"-\",\"DownstreamStatus\":200,\"Duration\":250000000,\"RequestMethod\":\"GET\","
                + "\"RequestPath\":\"/a?b=1\",\"StartUTC\":\"2024-03-01T00:00:01.123456789Z\","
                + "\"request_X-Org-Id\":\"acme\",\"level\":\"info\",\"msg\":\"\",\"time\":\"2024-03-01T00:00:02Z\"}");
        assertThat(call.ip()).isEqualTo("203.0.113.9");
        assertThat(call.path()).isEqualTo("/a");
        assertThat(call.principal()).isNull();
        assertThat(call.header("X-Org-Id")).isEqualTo("acme");
        assertThat(call.startMillis()).isEqualTo(millis("2024-03-01T00:00:01.123Z"));
    }

    @Test
    void readsJsonOfOthersByUsualNamesNestedOrWithDots() {
        LoggedCall call = found("{\"@timestamp\":\"2024-03-01T00:00:01Z\",\"client.ip\":\"203.0.113.9\","
                + "\"http\":{\"request\":{\"method\":\"GET\"},\"response\":{\"status_code\":200}},"
                + "\"url\":{\"path\":\"/a\",\"query\":\"b=1\"}}");
        assertThat(call.method()).isEqualTo("GET");
        assertThat(call.query("b")).isEqualTo("1");
        assertThat(call.status()).isEqualTo(200);
    }

    @Test
    void theOptionFieldNamesKeysOfJson() {
        Formats told =
                new Formats(Map.of("header:X-Org-Id", "org.id", "time", "when", "path", "what.uri", "ip", "who"));
        String line = "{\"when\":1709251201,\"who\":\"::1\",\"org\":{\"id\":17},\"what\":{\"uri\":\"/x\"},"
                + "\"deep\":{\"er\":[[1,{\"a\":2}],3]},\"time\":\"no time\",\"nothing\":null}";
        LoggedCall call = told.named("json").read(line);
        assertThat(call).isNotNull();
        assertThat(call.header("X-Org-Id")).isEqualTo("17");
        assertThat(call.path()).isEqualTo("/x");
    }

    @Test
    void fieldsOfOtherFormatsAreVariables() {
        Formats told = new Formats(Map.of("claim:sub", "jwt_claim_sub", "ip", "http_x_real_ip"));
        String line = "10.0.0.1 203.0.113.9 [10/Oct/2000:13:55:36 +0000] \"GET / HTTP/1.1\" bob";
        LoggedCall call = told.named("$remote_addr $http_x_real_ip [$time_local] \"$request\" $jwt_claim_sub")
                .read(line);
        assertThat(call.claim("sub")).isEqualTo("bob");
        assertThat(call.ip()).isEqualTo("203.0.113.9");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "combinde | is not a format",
                "$remote_addr $request | the format has no time; add $time_local or %t",
                "%t \"%r\" | the format has no address of the caller",
                "%h %t | the format has no path",
                "%h %t \"%r\" % | the % in column 12 names no field",
                "%h %t \"%r\" %{X | the { in column 13 has no }",
                "$remote_addr $time_local $request $ | a $ in column 35 names no variable",
            })
    void saysWhatIsWrongWithAFormat(String format, String complaint) {
        assertThatThrownBy(() -> formats.named(format))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(complaint);
    }
}
