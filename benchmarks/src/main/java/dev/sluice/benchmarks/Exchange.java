package dev.sluice.benchmarks;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.lang.reflect.Proxy;
import java.util.Arrays;

/**
 * One thread's request and response, used again for each call as containers do. They answer what a rate limiter asks, keep
 * attributes and headers without allocating, and throw for anything else. Not safe for several threads.
 */
final class Exchange {

    final Request request;
    final Response response = new Response();

    Exchange(Caller caller) {
        this.request = new Request(caller);
    }

    /** Turns to the next call. */
    Exchange next() {
        request.caller.next();
        request.attributes.clear();
        response.headers.clear();
        return this;
    }

    private static <T> T refusing(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            throw new UnsupportedOperationException(method.toString());
        }));
    }

    /** A few names and what they stand for. */
    private static final class Pairs {
        private final Object[] pairs = new Object[32];
        private int size;

        private void clear() {
            Arrays.fill(pairs, 0, size, null);
            size = 0;
        }

        private Object get(String name) {
            for (int i = 0; i < size; i += 2) {
                if (pairs[i].equals(name)) {
                    return pairs[i + 1];
                }
            }
            return null;
        }

        private void add(String name, Object value) {
            pairs[size++] = name;
            pairs[size++] = value;
        }
    }

    /** A GET with a tenant's address and, in a header, its name. */
    static final class Request extends HttpServletRequestWrapper {
        private final Caller caller;
        private final Pairs attributes = new Pairs();

        private Request(Caller caller) {
            super(refusing(HttpServletRequest.class));
            this.caller = caller;
        }

        @Override
        public String getMethod() {
            return caller.method();
        }

        @Override
        public String getRequestURI() {
            return caller.path();
        }

        @Override
        public String getContextPath() {
            return "";
        }

        @Override
        public String getRemoteAddr() {
            return caller.ip();
        }

        @Override
        public String getHeader(String name) {
            return caller.header(name);
        }

        @Override
        public Object getAttribute(String name) {
            return attributes.get(name);
        }

        @Override
        public void setAttribute(String name, Object value) {
            attributes.add(name, value);
        }
    }

    /** Keeps headers. */
    static final class Response extends HttpServletResponseWrapper {
        private final Pairs headers = new Pairs();

        private Response() {
            super(refusing(HttpServletResponse.class));
        }

        int headers() {
            return headers.size / 2;
        }

        @Override
        public boolean isCommitted() {
            return false;
        }

        @Override
        public void setHeader(String name, String value) {
            headers.add(name, value);
        }

        @Override
        public void addHeader(String name, String value) {
            headers.add(name, value);
        }
    }
}
