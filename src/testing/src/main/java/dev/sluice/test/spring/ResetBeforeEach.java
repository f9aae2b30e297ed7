package dev.sluice.test.spring;

import dev.sluice.test.LimitsUnderTest;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** Resets the limits under test before each test, because tests share an application context. */
final class ResetBeforeEach implements BeforeEachCallback {

    @Override
    public void beforeEach(ExtensionContext context) {
        SpringExtension.getApplicationContext(context)
                .getBeanProvider(LimitsUnderTest.class)
                .ifAvailable(LimitsUnderTest::reset);
    }
}
