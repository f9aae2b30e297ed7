package dev.sluice.servlet;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A request and its response, for tests without a container. */
public final class FakeExchange {

    public final HttpServletRequest request = mock();
    public final HttpServletResponse response = mock();
    public final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    /** The headers of the request. */
    public final Map<String, String> sent = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    public boolean committed;
    public int status = 200;
    private final Map<String, Object> attributes = new HashMap<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    public static FakeExchange get(String path) {
        return of("GET", path);
    }

    public static FakeExchange of(String method, String path) {
        FakeExchange exchange = new FakeExchange();
        when(exchange.request.getMethod()).thenReturn(method);
        when(exchange.request.getRequestURI()).thenReturn(path);
        when(exchange.request.getContextPath()).thenReturn("");
        return exchange;
    }

    private FakeExchange() {
        when(request.getAttribute(anyString())).thenAnswer(call -> attributes.get(call.<String>getArgument(0)));
        doAnswer(call -> attributes.put(call.getArgument(0), call.getArgument(1)))
                .when(request)
                .setAttribute(anyString(), any());
        doAnswer(call -> headers.put(call.getArgument(0), call.getArgument(1)))
                .when(response)
                .setHeader(anyString(), anyString());
        doAnswer(call -> headers.merge(call.getArgument(0), call.getArgument(1), (one, other) -> one + ", " + other))
                .when(response)
                .addHeader(anyString(), anyString());
        when(request.getHeaders(anyString()))
                .thenAnswer(call -> Collections.enumeration(Optional.ofNullable(sent.get(call.<String>getArgument(0)))
                        .map(List::of)
                        .orElse(List.of())));
        when(response.containsHeader(anyString())).thenAnswer(call -> headers.containsKey(call.<String>getArgument(0)));
        when(response.getHeader(anyString())).thenAnswer(call -> headers.get(call.<String>getArgument(0)));
        doAnswer(call -> status = call.getArgument(0)).when(response).setStatus(anyInt());
        when(response.getStatus()).thenAnswer(call -> status);
        when(response.isCommitted()).thenAnswer(call -> committed);
        doAnswer(call -> {
                    headers.clear();
                    body.reset();
                    status = 200;
                    return null;
                })
                .when(response)
                .reset();
        try {
            when(response.getOutputStream()).thenReturn(stream());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public String body() {
        return body.toString(StandardCharsets.UTF_8);
    }

    private ServletOutputStream stream() {
        return new ServletOutputStream() {
            @Override
            public void write(int b) {
                body.write(b);
            }

            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {
                throw new UnsupportedOperationException();
            }
        };
    }
}
