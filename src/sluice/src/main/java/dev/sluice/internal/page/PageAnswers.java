package dev.sluice.internal.page;

import dev.sluice.internal.page.PageData.StandingsData;
import dev.sluice.open.Sluice;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for the page of a limiter, and collects its figures until it is closed. The server must check
 * {@link PageAccess} first. Thread-safe, but not for event loops: rendering an answer may take long.
 */
public final class PageAnswers implements AutoCloseable {

    private static final String JSON = "application/json";

    private final Map<String, PageFile> files = PageFile.all();
    private final Sampler sampler;
    private final EventStreams streams;

    /** Begins to collect the figures of this limiter. */
    public PageAnswers(Sluice shown) {
        sampler = new Sampler(shown);
        streams = new EventStreams(sampler).start();
    }

    /** Answers a caller who may read the page. If the answer is a stream, begin it with {@link #listen}. */
    public PageAnswer answer(PageRequest request) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return PageAnswer.text(405, "This page is read-only.\n").with("Allow", "GET, HEAD");
        }
        return switch (request.below()) {
            case "" -> {
                String mapped = request.mappedTo();
                yield PageAnswer.empty(302)
                        .with("Location", "./" + mapped.substring(mapped.lastIndexOf('/') + 1) + "/");
            }
            case "/data.json" -> PageAnswer.ok(JSON, streams.everything());
            case "/client.json" -> client(request.parameter("id"));
            case "/events" -> request.method().equals("GET") ? PageAnswer.EVENTS : PageAnswer.NO_STREAM;
            default -> file(request);
        };
    }

    private PageAnswer client(@Nullable String id) {
        StandingsData standings = id != null && id.matches("\\d{1,9}") ? sampler.standings(Integer.parseInt(id)) : null;
        return standings == null
                ? PageAnswer.text(404, "No client has this id; data.json lists the ids.\n")
                : PageAnswer.ok(JSON, JsonText.of(standings));
    }

    private PageAnswer file(PageRequest request) {
        String name =
                request.below().equals("/") ? "index.html" : request.below().substring(1);
        PageFile file = files.get(name);
        return file == null
                ? PageAnswer.text(404, "This page has no such file.\n")
                : file.answer(request.header("If-None-Match"));
    }

    /** Begins a stream of events; returns {@code false} if there are already too many. */
    public boolean listen(EventReader reader) {
        return streams.add(reader);
    }

    /** The number of readers of events now. */
    public int listeners() {
        return streams.count();
    }

    /** Ends the event streams and the sampling; the limiter stays open. */
    @Override
    public void close() {
        streams.close();
    }
}
