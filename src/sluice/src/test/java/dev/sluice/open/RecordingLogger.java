package dev.sluice.open;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Records log entries, each with its level in front. */
public final class RecordingLogger extends LegacyAbstractLogger {

    private static final long serialVersionUID = 1L;

    private final transient List<String> entries = Collections.synchronizedList(new ArrayList<>());
    private final transient List<Throwable> thrown = new ArrayList<>();

    /** The throwables that were logged with entries. */
    public List<Throwable> thrown() {
        return thrown;
    }

    public List<String> entries() {
        return entries;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level, Marker marker, String message, Object[] arguments, Throwable fault) {
        entries.add(level + " " + MessageFormatter.basicArrayFormat(message, arguments));
        if (fault != null) {
            thrown.add(fault);
        }
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return RecordingLogger.class.getName();
    }

    @Override
    public boolean isTraceEnabled() {
        return true;
    }

    @Override
    public boolean isDebugEnabled() {
        return true;
    }

    @Override
    public boolean isInfoEnabled() {
        return true;
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }
}
