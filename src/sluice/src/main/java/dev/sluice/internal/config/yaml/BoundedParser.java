package dev.sluice.internal.config.yaml;

import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.parser.Parser;

/**
 * A parser that fails as soon as a file exceeds the {@link Bounds}, before SnakeYAML builds any nodes. Not thread-safe.
 */
final class BoundedParser implements Parser {

    private final Parser parser;
    private final Bounds bounds;
    private int depth;

    BoundedParser(Parser parser, Bounds bounds) {
        this.parser = parser;
        this.bounds = bounds;
    }

    @Override
    public boolean checkEvent(Event.ID choice) {
        return parser.checkEvent(choice);
    }

    @Override
    public Event peekEvent() {
        return parser.peekEvent();
    }

    @Override
    public Event getEvent() {
        Event event = parser.getEvent();
        switch (event.getEventId()) {
            case MappingStart, SequenceStart -> bounds.countValue(depth++, event.getStartMark());
            case MappingEnd, SequenceEnd -> depth--;
            case Scalar -> bounds.countValue(depth, event.getStartMark());
            case Alias -> bounds.countAlias(event.getStartMark());
            default -> {}
        }
        return event;
    }
}
