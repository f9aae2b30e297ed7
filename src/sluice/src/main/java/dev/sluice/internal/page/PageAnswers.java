package dev.sluice.internal.page;

import dev.sluice.internal.page.PageData.StandingsData;
import dev.sluice.open.Sluice;
import java.util.Map;

/**
 * Handles requests for a limiter's page. Collects the limiter's figures until this object is closed. The server must
 * check {@link PageAccess} first. Do not call this class on an event loop, because rendering a response can take a long
 * time. Thread-safe.
 */
public final class PageAnswers implements AutoCloseable {

    private static final String CLIENT = "/client.json";

    private final Map<String, PageFile> files = PageFile.all();
    private final Sampler sampler;
    private final EventStreams streams;
    private final PageChanges changes;

    /** Starts to collect the figures of this limiter. */
    public PageAnswers(Sluice shown) {
        sampler = new Sampler(shown);
        streams = new EventStreams(sampler).start();
        changes = new PageChanges(shown, sampler);
    }

    /**
     * Returns the response for a caller that is allowed to read the page. If the response is a stream, begin the stream
     * with {@link #listen}.
     */
    public PageAnswer answer(PageRequest request) {
        if (PageChanges.isAt(request.below())) {
            return request.method().equals("POST")
                    ? changes.answer(request)
                    : PageAnswer.text(405, "Changes require POST.\n").with("Allow", "POST");
        }
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return PageAnswer.text(405, "This address supports only GET and HEAD.\n")
                    .with("Allow", "GET, HEAD");
        }
        return switch (request.below()) {
            case "" -> {
                String mapped = request.mappedTo();
                yield PageAnswer.empty(302)
                        .with("Location", "./" + mapped.substring(mapped.lastIndexOf('/') + 1) + "/");
            }
            case "/data.json" -> PageAnswer.ok(PageAnswer.JSON, streams.everything());
            case CLIENT -> client(request);
            case "/events" -> request.method().equals("GET") ? PageAnswer.EVENTS : PageAnswer.NO_STREAM;
            default -> file(request);
        };
    }

    /** Whether the response to a request with this path contains the token from {@link PageRequest#csrf}. */
    public static boolean needsCsrf(PageRequest request) {
        return request.below().equals(CLIENT);
    }

    private PageAnswer client(PageRequest request) {
        StandingsData standings = sampler.standings(request.parameter("id"));
        return standings == null
                ? PageAnswer.text(404, "No client has this id; data.json lists the ids.\n")
                : PageAnswer.ok(
                        PageAnswer.JSON,
                        JsonText.of(request.mayChange() ? standings.forChanges(request.csrf()) : standings));
    }

    private PageAnswer file(PageRequest request) {
        String name =
                request.below().equals("/") ? "index.html" : request.below().substring(1);
        PageFile file = files.get(name);
        return file == null
                ? PageAnswer.text(404, "There is no such file.\n")
                : file.answer(request.header("If-None-Match"));
    }

    /** Begins an event stream. Returns {@code false} if the maximum number of streams has been reached. */
    public boolean listen(EventReader reader) {
        return streams.add(reader);
    }

    /** Returns the current number of event readers. */
    public int listeners() {
        return streams.count();
    }

    /** Ends the event streams and the sampling. The limiter stays open. */
    @Override
    public void close() {
        streams.close();
    }
}
