package dev.sluice.internal.config.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.TestCall;
import dev.sluice.tier.Limit;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeaderCostTest {

    @Property(tries = 2_000)
    void isAlwaysWithinBounds(@ForAll String sent) {
        long cost = new HeaderCost("X-Cost", 1).resolve(TestCall.get("/").with("X-Cost", sent));
        assertThat(cost).isBetween(1L, Limit.MAX_THRESHOLD);
    }

    /** A caller writes the first, and a server behind may read the last, or the other way round. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    5       | 900     | 900
                    900     | 5       | 900
                    5       | many    | 40
                    many    | 900     | 900
                    5, 900  | 7       | 900
                    5,      | 7       | 40
                    """)
    void ofSeveralValuesIsTheLargest(String first, String second, long cost) {
        Call call = new Call() {
            @Override
            public String method() {
                return "GET";
            }

            @Override
            public String path() {
                return "/";
            }

            @Override
            public String ip() {
                return "192.0.2.1";
            }

            @Override
            public String header(String name) {
                return first;
            }

            @Override
            public List<String> headers(String name) {
                return List.of(first, second);
            }
        };
        assertThat(new HeaderCost("X-Estimate", 40).resolve(call)).isEqualTo(cost);
    }
}
