package dev.sluice.servlet;

class UndertowStartTest extends StartContract {

    UndertowStartTest() {
        super(UndertowServer::start);
    }
}
