/** Limits how often each tenant may call each endpoint, however many instances of a service run. */
module dev.sluice {
    exports dev.sluice;
    exports dev.sluice.tier;
    exports dev.sluice.exchange;
    exports dev.sluice.http;
    exports dev.sluice.limits;
    exports dev.sluice.open;
    exports dev.sluice.servlet;
    exports dev.sluice.webflux;
    exports dev.sluice.metrics;
    exports dev.sluice.page;
    exports dev.sluice.traffic;
    exports dev.sluice.client;
    exports dev.sluice.cell;

    // Spring reads and makes what it finds here
    opens dev.sluice.spring;
    opens dev.sluice.spring.actuate;
    opens dev.sluice.spring.method;
    opens dev.sluice.spring.security;
    opens dev.sluice.spring.start;

    requires com.github.benmanes.caffeine;
    requires org.slf4j;
    requires org.yaml.snakeyaml;
    requires static transitive org.jspecify;
    requires static transitive jakarta.servlet;

    // for callers of a limited service with java.net.http
    requires static transitive java.net.http;

    // the load of this machine, for elastic limits
    requires java.management;
    requires jdk.management;

    // optional: the Redis store, the MongoDB store, meters, logins on other threads, countries by address, claims
    requires static lettuce.core;
    requires static io.netty.common;
    requires static io.netty.transport;
    requires static org.mongodb.driver.sync.client;
    requires static org.mongodb.driver.core;
    requires static org.mongodb.bson;
    requires static transitive micrometer.core;
    requires static transitive micrometer.observation;
    requires static context.propagation;
    requires static com.maxmind.geoip2;
    requires static com.maxmind.db;
    requires static spring.security.core;
    requires static spring.security.config;
    requires static spring.security.web;
    requires static spring.security.oauth2.resource.server;

    // optional: auto-configuration in Spring Boot
    requires static spring.core;
    requires static spring.beans;
    requires static spring.context;
    requires static spring.aop;
    requires static spring.web;
    requires static spring.webmvc;
    requires static spring.boot;
    requires static spring.boot.autoconfigure;
    requires static spring.boot.actuator;
    requires static spring.boot.actuator.autoconfigure;
    requires static spring.boot.health;
    requires static spring.data.redis;

    // optional: the filter for WebFlux
    requires static reactor.core;
    requires static org.reactivestreams;
}
