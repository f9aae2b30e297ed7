package dev.sluice;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the fuzz tests of a class with mutations of their corpora: a short run without Jazzer, in every build, with the
 * same inputs each time. For more or other inputs: {@code mvn test
 * -Dtest='*FuzzTest' -Dsluice.fuzz.inputs=100000 -Dsluice.fuzz.seed=7}.
 */
public interface MutatedInputs {

    int INPUTS = Integer.getInteger("sluice.fuzz.inputs", 3_000);
    long SEED = Long.getLong("sluice.fuzz.seed", 1);

    @TestFactory
    default Stream<DynamicTest> mutatedInputsAreReadToo() {
        return Stream.of(getClass().getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(FuzzTest.class))
                .sorted(Comparator.comparing(Method::getName))
                .map(this::ofMutatedInputs);
    }

    /** By which factor these readers are slower than others; they get fewer inputs by the same factor. */
    default int timesAsLong() {
        return 1;
    }

    private DynamicTest ofMutatedInputs(Method target) {
        int inputs = INPUTS / timesAsLong();
        String name = target.getName() + ": " + inputs + " inputs, sluice.fuzz.seed=" + SEED;
        return dynamicTest(name, () -> {
            Mutator mutator = new Mutator(corpusOf(target), SEED);
            Assertions.assertTimeoutPreemptively(Duration.ofMinutes(5), () -> {
                for (int i = 0; i < inputs; i++) {
                    read(target, mutator.next(), name);
                }
            });
        });
    }

    private List<String> corpusOf(Method target) throws ReflectiveOperationException {
        String source = target.getAnnotation(MethodSource.class).value()[0];
        Method corpus = getClass().getDeclaredMethod(source);
        corpus.setAccessible(true);
        return ((Stream<?>) corpus.invoke(null))
                .map(line -> line instanceof byte[] bytes ? new String(bytes, StandardCharsets.ISO_8859_1) : "" + line)
                .toList();
    }

    private void read(Method target, String input, String name) throws IllegalAccessException {
        boolean takesBytes = target.getParameterTypes()[0] == byte[].class;
        Object argument = takesBytes ? input.getBytes(StandardCharsets.ISO_8859_1) : input;
        target.setAccessible(true);
        try {
            target.invoke(this, argument);
        } catch (InvocationTargetException e) {
            throw new AssertionError(name, e.getCause());
        }
    }
}
