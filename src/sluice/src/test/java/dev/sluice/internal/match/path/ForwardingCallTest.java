package dev.sluice.internal.match.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ForwardingCallTest {

    static Stream<Method> everyMethodOfACall() {
        return Stream.of(Call.class.getMethods()).filter(method -> !method.isSynthetic());
    }

    /** Else a wrapped call would fall back to the default of {@link Call}. */
    @ParameterizedTest
    @MethodSource("everyMethodOfACall")
    void forwards(Method ofCall) throws Exception {
        Method found = ForwardingCall.class.getMethod(ofCall.getName(), ofCall.getParameterTypes());
        assertThat(found.getDeclaringClass()).isEqualTo(ForwardingCall.class);
    }
}
