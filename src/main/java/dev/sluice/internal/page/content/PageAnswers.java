package dev.sluice.internal.page.content;

import dev.sluice.config.Sluice;
import dev.sluice.internal.page.content.PageData.StandingsData;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for the page of a limiter, whose figures it collects until it is closed. Who may read the page, its server
 * asks {@link PageAccess} first. Safe for any threads, but not for event loops: an answer may take long to make.
 */
public final class PageAnswers implements AutoCloseable {

    private static final String JSON = "application/json";

    private final Map<String, PageFile> files = PageFile.all();
    private final Sampler sampler;
    private final EventStreams streams;

    /** Begins to collect figures of this limiter. */
    public PageAnswers(Sluice shown) {
        sampler = new Sampler(shown);
        streams = new EventStreams(sampler).start();
    }

    /** Answers a caller who may read the page. If the answer is a stream, {@link #listen} begins it. */
    public PageAnswer answer(PageRequest request) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return PageAnswer.text(405, "This page can only be read.\n").with("Allow", "GET, HEAD");
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
                ? PageAnswer.text(404, "There is no such client; data.json has their ids.\n")
                : PageAnswer.ok(JSON, JsonText.of(standings));
    }

    private PageAnswer file(PageRequest request) {
        String name =
                request.below().equals("/") ? "index.html" : request.below().substring(1);
        PageFile file = files.get(name);
        return file == null
                ? PageAnswer.text(404, "There is no such file of this page.\n")
                : file.answer(request.header("If-None-Match"));
    }

    /** Begins a stream of events; returns whether there was room for one more reader. */
    public boolean listen(EventReader reader) {
        return streams.add(reader);
    }

    /** The number of readers of events now. */
    public int listeners() {
        return streams.count();
    }

    /** Ends the streams and the sampling; the limiter stays open. */
    @Override
    public void close() {
        streams.close();
    }
}
