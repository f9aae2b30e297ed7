package dev.sluice.page;

import dev.sluice.TestCall;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TmpPicsTest {

    @TempDir
    private Path folder;

    private static final class Dry implements Play {
        @Override
        public String limits() {
            return """
                    trustedProxies: [ 127.0.0.1 ]
                    endpoints:
                      - id: get-product
                        pathPattern: /product/*
                        mode: dry-run
                        tiers: [ { period: 10s, threshold: 100 }, { period: 1h, threshold: 50000 } ]
                      - id: search-with-a-long-name
                        pathPattern: /search
                        mode: dry-run
                        tiers: [ { period: 1m, threshold: 590 } ]
                      - id: orders
                        pathPattern: /orders
                        tiers: [ { period: day, zone: Europe/Berlin, threshold: 50000 } ]
                    """;
        }

        @Override
        public Overrides setOutside() {
            return new Overrides("1", List.of(), Map.of());
        }

        @Override
        public void step(double ago, Calls calls) {
            calls.make(6, TestCall.get("/product/1").of("acme"));
            calls.make(4, TestCall.get("/product/1").of("a-customer-with-a-long-name"));
            calls.make(6, TestCall.get("/search").of("acme"));
            calls.make(5, TestCall.get("/search").of("initech"));
            calls.make(0.4, TestCall.post("/orders").of("initech"));
        }
    }

    @Test
    void pictures() throws Exception {
        try (Chromium chromium = Chromium.start()) {
            for (int seconds : new int[] {5, 45, 400}) {
                try (Scene scene = new Scene(Files.createDirectories(folder.resolve("s" + seconds)), seconds, new Dry());
                        Tab tab = chromium.open()) {
                    scene.play();
                    scene.goOn();
                    for (int width : new int[] {1280, 390}) {
                        tab.look(width, 2600, 1, false);
                        tab.show(scene.page());
                        tab.await("document.querySelector('#clients tbody tr') && document.querySelector('canvas')", 30);
                        Thread.sleep(3000);
                        Files.write(Path.of("/tmp/small-pic-" + seconds + "-" + width + ".png"), tab.picture());
                    }
                }
            }
        }
    }
}
