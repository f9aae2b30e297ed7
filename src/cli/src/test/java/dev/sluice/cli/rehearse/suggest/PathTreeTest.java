package dev.sluice.cli.rehearse.suggest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathTreeTest {

    private final PathTree tree = new PathTree();

    @Test
    void idsBecomeVariables() {
        tree.add("/product/1");
        tree.add("/product/4711/reviews/9");
        tree.add("/product/1b4e28ba-2fa1-11d2-883f-0016d3cca427/reviews/10");
        tree.add("/product/new");
        tree.add("/");
        tree.add("//product//2/");
        assertThat(tree.patterns().toString())
                .isEqualTo("{/=1, /product/new=1, /product/{id}=2, /product/{id}/reviews/{id2}=2}");
    }

    @Test
    void veryManyWordsInOnePlaceBecomeOne() {
        for (char first = 'a'; first <= 'z'; first++) {
            tree.add("/tag/" + first + "word/posts");
        }
        tree.add("/tag/aword/posts");
        assertThat(tree.patterns().toString()).isEqualTo("{/tag/{id}/posts=27}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1", "4711", "1b4e28ba-2fa1-11d2-883f-0016d3cca427", "9f86d081884c7d65", "red-shoes-4711", "a81Bc9",
                "how-to-tie-shoes", "a%20b", "ann@example.com", "x{y}", "*", "naïve"
            })
    void recognizesSegmentsThatNameOneOfMany(String segment) {
        assertThat(PathTree.isVariable(segment)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"product", "v1", "api", "oauth2", "log-in", "style.css", "rain-coats", "facade", "deadbeef"})
    void recognizesSegmentsThatNameAKind(String segment) {
        assertThat(PathTree.isVariable(segment)).isFalse();
    }
}
