package dev.sluice.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takes the screenshots for the README and docs/page.md; {@code -Dsluice.pictures=docs/images} puts them there. Skipped
 * without Chromium.
 */
@Timeout(300)
@Tag("thorough")
@Tag("server")
@Tag("browser")
class PicturesOfPageTest {

    private static final int DESK = 1280;
    private static final int PHONE = 390;
    private static final double DETAIL = 1.75;

    /** The lower edge of a screenshot, so that it cuts no card. */
    private static final String BELOW_THE_CHARTS =
            "Math.floor(document.querySelector('#charts').getBoundingClientRect().bottom + 16)";

    /** The refused client has used up its limit, and another client is in a dry run. */
    private static final String READY = row(Shop.REFUSED) + "?.cells[3].textContent.startsWith('200') && "
            + row(Shop.REFUSED) + ".cells[2].innerText.includes('100') && " + row(Shop.REFUSED)
            + ".cells[6].innerText > 0 && document.querySelectorAll('canvas').length > 1";

    private static final String NAMES =
            "[...document.querySelectorAll('tbody tr')].filter(row => row.querySelector('button')).map(row => "
                    + "row.querySelector('button').innerText).join(' ')";

    @TempDir
    private Path folder;

    @Test
    void picturesAreMade() throws Exception {
        assumeTrue(Chromium.installed().isPresent(), "there is no Chromium on the PATH: apt-get install chromium");
        Path pictures =
                Files.createDirectories(Path.of(System.getProperty("sluice.pictures", "src/tests/target/pictures")));
        try (Scene scene = new Scene(folder, 1000, new Shop());
                Chromium chromium = Chromium.start();
                Tab tab = chromium.open()) {
            scene.play();
            scene.goOn();
            picture(scene, tab, pictures.resolve("page-light.png"), DESK, false);
            assertThat(tab.evaluate(NAMES).asText())
                    .contains(Shop.REFUSED, "harbor-foods", "address 203.0.113.66")
                    .matches("[A-Za-z0-9. -]+");
            picture(scene, tab, pictures.resolve("page-dark.png"), DESK, true);
            picture(scene, tab, pictures.resolve("page-phone.png"), PHONE, false);
            show(scene, tab, DESK, false);
            tab.evaluate(row(Shop.REFUSED) + ".querySelector('button').click()");
            tab.await("document.querySelectorAll('dialog .limit').length > 1", 5);
            tab.await("document.querySelectorAll('dialog tbody tr').length > 5", 15);
            Files.write(pictures.resolve("page-client.png"), tab.picture());
            assertThat(tab.complaints()).isEmpty();
        }
    }

    private static String row(String name) {
        return "[...document.querySelectorAll('#clients tbody tr')].find(row => row.querySelector('button').innerText === '"
                + name + "')";
    }

    private static void show(Scene scene, Tab tab, int width, boolean isDark) throws InterruptedException {
        tab.look(width, width == DESK ? 1180 : 844, DETAIL, isDark);
        tab.show(scene.page());
        tab.await(READY, 30);
    }

    private static void picture(Scene scene, Tab tab, Path file, int width, boolean isDark) throws Exception {
        show(scene, tab, width, isDark);
        if (width == DESK) {
            tab.look(width, tab.evaluate(BELOW_THE_CHARTS).asInt(), DETAIL, isDark);
            tab.await(READY, 30);
        }
        byte[] png = tab.picture();
        assertThat(png.length).isBetween(20_000, 500_000);
        Files.write(file, png);
    }
}
