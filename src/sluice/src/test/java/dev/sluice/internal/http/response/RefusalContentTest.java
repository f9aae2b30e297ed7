package dev.sluice.internal.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalContentTest {

    private static boolean prefersHtml(String accept) {
        return RefusalContent.prefersHtml(accept, Refusal.PROBLEM_JSON);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
                "text/html, application/xhtml+xml, image/jxr, */*;q=0.9",
                "text/html",
                "Text/HTML; charset=utf-8",
                "text/*",
                "text/html;q=0.9, application/json;q=0.8",
                "application/json;q=0.1, text/html;q=0.101",
                "*/*;q=0.1, text/html ; level=1 ; q=0.2",
                "text/html, application/problem+json;q=0",
                "text/html, application/json;q=2",
            })
    void aPageGoesToCallersWhoPreferHtml(String accept) {
        assertThat(prefersHtml(accept)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*/*",
                "application/json",
                "application/json, text/html",
                "application/problem+json, text/html",
                "application/*, text/html",
                "application/*+json, text/html",
                "application/json;q=0.9, text/html;q=0.8",
                "text/html;q=0",
                "text/html;q=0, */*",
                "text/html;q=high",
                "text/html;q=",
                "text/html;q=1.5",
                "text/html;q=0.5x",
                "text/html;q=.9",
                "*/*, text/html",
                "text/plain",
                "application/xhtml+xml",
                ",;,",
                "text/htmlx",
                "x-text/html",
            })
    void othersGetTheBody(String accept) {
        assertThat(prefersHtml(accept)).isFalse();
        assertThat(RefusalContent.prefersHtml(null, Refusal.PROBLEM_JSON)).isFalse();
    }

    @Test
    void theTypeOfTheBodyInTheFileCounts() {
        String browser = "text/html,application/xml;q=0.9,*/*;q=0.8";
        assertThat(RefusalContent.prefersHtml(browser, "text/plain;charset=utf-8"))
                .isTrue();
        assertThat(RefusalContent.prefersHtml("text/plain, text/html", "text/plain;charset=utf-8"))
                .isFalse();
        assertThat(RefusalContent.prefersHtml("application/json, text/html", "text/plain;charset=utf-8"))
                .isTrue();
        assertThat(RefusalContent.prefersHtml("application/json, text/html", "application/vnd.shop+json"))
                .isFalse();
    }
}
